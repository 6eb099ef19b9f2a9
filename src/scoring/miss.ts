import type { Label } from '../fixture/label.js';

/** Where a wrong answer was lost, in the order of the stages (OB-6). */
export const MISS_CAUSES = [
  'never-formed',
  'wrongly-superseded',
  'not-retrieved',
  'cut-from-context',
  'misread',
  'untold',
] as const;
export type MissCause = (typeof MISS_CAUSES)[number];

/** An answer that scores less than this is a miss. */
export const MISS_BELOW = 0.5;

/** Why an answer is wrong. */
export interface Miss {
  readonly cause: MissCause;
  /** The evidence turns that were lost there, in the label's order; none where the reader had all of them, or the label names none. */
  readonly turns: readonly string[];
}

/** The evidence turns that beliefs carried, at the question's present. */
export interface FormedEvidence {
  /** Turns that some permitted belief rests on, a superseded one included. */
  readonly any: ReadonlySet<string>;
  /** Turns that a belief rests on which no other has superseded. */
  readonly current: ReadonlySet<string>;
}

/** How far the evidence of an answer came. */
export interface EvidencePath {
  readonly label: Pick<Label, 'answerable' | 'evidence'>;
  /** Null where turns are recalled: nothing is formed or superseded then. */
  readonly formed: FormedEvidence | null;
  /** Turns that the retrieved items rest on. */
  readonly retrieved: ReadonlySet<string>;
  /** Turns that the items in the reader's context rest on; null where no context of ours was read. */
  readonly in_context: ReadonlySet<string> | null;
}

/**
 * Tells a wrong answer by its cause (OB-6): the first stage that lost an evidence turn, for the reader needs them all. Where none was lost it is told as
 * misread: over turns the reader had them; over beliefs it had one that rests on each, which may not state the answer. So is an answer to what cannot be answered. `untold` where the label names no evidence, or
 * another system answered.
 */
export function missOf({ label, formed, retrieved, in_context }: EvidencePath): Miss {
  if (in_context === null) return { cause: 'untold', turns: [] };
  if (!label.answerable) return { cause: 'misread', turns: [] };
  const evidence = [...new Set(label.evidence)];
  if (evidence.length === 0) return { cause: 'untold', turns: [] };
  const lostAt = (turn: string): MissCause | null => {
    if (in_context.has(turn)) return null;
    if (retrieved.has(turn)) return 'cut-from-context';
    if (formed === null || formed.current.has(turn)) return 'not-retrieved';
    return formed.any.has(turn) ? 'wrongly-superseded' : 'never-formed';
  };
  const lost = evidence.map((turn) => ({ turn, cause: lostAt(turn) }));
  const first = MISS_CAUSES.find((cause) => lost.some((one) => one.cause === cause));
  if (first === undefined) return { cause: 'misread', turns: [] };
  return { cause: first, turns: lost.filter(({ cause }) => cause === first).map(({ turn }) => turn) };
}
