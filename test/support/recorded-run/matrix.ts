import { digestText } from '../../../src/core/digest.js';
import type { Fixture } from '../../../src/fixture/fixture.js';
import type { ArmSettings, ResolvedMatrix } from '../../../src/matrix/matrix.js';
import { STRATEGIES, type Strategy } from '../../../src/memory/memory.js';
import type { RecordedRunDescription } from '../recorded-run.js';

/** An arm by its name, with what is to be other than usual. */
export type ArmDescription = Pick<ArmSettings, 'name'> & Partial<ArmSettings>;

const PROMPT = 'Answer from the context alone.';

/** The resolved matrix of a run that was never made: what `run` would have resolved it to, with a local reader and replayed banks. */
export function recordedMatrix(
  {
    arms = ['bm25', 'semantic'],
    scorers = ['token-f1'],
    repeats = 1,
    replicates = 1,
    matrix = {},
  }: RecordedRunDescription,
  fixtures: readonly Fixture[],
): ResolvedMatrix {
  const settings = arms.map((arm) => armSettings(typeof arm === 'string' ? { name: arm } : arm));
  const parameters = { max_output_tokens: 256, temperature: 0, top_p: null, seed: null, reasoning_effort: null };
  return {
    version: 1,
    name: 'recorded',
    budget_nano_usd: '500000000',
    fixtures: fixtures.map(({ manifest: { id } }) => `fixtures/${id}`),
    load: { questions: 'all', categories: null, repeats, sample: null },
    formation: {
      formation_bank_directory: 'banks',
      bank: 'replay-only',
      pinned: {},
      policy: 'facts@1',
      persistence: 'supersede',
      profile: { provider: 'local', model: 'extractive-facts-1', parameters },
      attempts: 2,
      replicates,
    },
    context: { tokens: 1500 },
    reader: {
      provider: 'local',
      model: 'extractive-reader-1',
      parameters,
      prompt: { name: 'short-answer', text: PROMPT, digest: digestText(PROMPT) },
    },
    judges: {},
    query_preparation: { embedding: { provider: 'local', model: 'use-lite-512' }, sensitivity_floor: 'internal' },
    vector_banks: { directory: 'banks', bank: 'replay-only', pinned: {} },
    providers: { local: { kind: 'local' } },
    prices: {},
    arms: settings,
    baseline: settings.find(({ reference }) => !reference)?.name ?? null,
    scoring: scorers,
    analysis: { primary: scorers[0] as string, contrasts: [], alpha: 0.05, power: 0.8, margin: 0.02 },
    concurrency: 4,
    seed: '1',
    ...matrix,
  };
}

function armSettings({ name, ...changes }: ArmDescription): ArmSettings {
  const strategy: Strategy = (STRATEGIES as readonly string[]).includes(name) ? (name as Strategy) : 'bm25';
  const reference = strategy === 'full-history' || strategy === 'evidence';
  return {
    name,
    retrieval: {
      strategy,
      unit: reference ? 'turns' : 'beliefs',
      limit: reference || strategy === 'none' ? null : 10,
      mode: 'standard',
      read_ceiling: 'restricted',
    },
    reference,
    ...changes,
  };
}
