/** What of a factor's name says how it counts. */
interface FactorKind {
  /** Factors that it comes with by itself: where one of these is the treatment, so is it. */
  readonly follows: readonly FactorName[];
  /** It is of what measures, not of what is measured: scores on either side of it are not one scale. */
  readonly measures?: true;
  /** It changes no score. */
  readonly scoreless?: true;
}

/** Everything that may differ between two sides (RP-2), in the order in which it is told. Corpora and loads are refused before. */
export const FACTOR_NAMES = [
  'arm',
  'formation',
  'bank',
  'state',
  'vector-bank',
  'query-preparation',
  'context',
  'lessons',
  'reader',
  'prompt',
  'reported-models',
  'labels',
  'scorers',
  'judge',
  'program',
  'server',
  'order',
  'limits',
  'prices',
] as const;
export type FactorName = (typeof FACTOR_NAMES)[number];

export const FACTOR_KINDS: Readonly<Record<FactorName, FactorKind>> = {
  arm: { follows: [] },
  formation: { follows: [] },
  bank: { follows: ['formation'] },
  state: { follows: ['bank', 'formation'] },
  'vector-bank': { follows: ['arm', 'bank', 'state', 'formation', 'query-preparation'] },
  'query-preparation': { follows: [] },
  context: { follows: [] },
  lessons: { follows: ['arm'] },
  reader: { follows: [] },
  prompt: { follows: [] },
  'reported-models': { follows: ['reader'] },
  labels: { follows: [], measures: true },
  scorers: { follows: [], measures: true },
  judge: { follows: [], measures: true },
  program: { follows: [] },
  server: { follows: [] },
  order: { follows: [] },
  limits: { follows: [] },
  prices: { follows: [], scoreless: true },
};

export function isFactorName(name: string): name is FactorName {
  return (FACTOR_NAMES as readonly string[]).includes(name);
}
