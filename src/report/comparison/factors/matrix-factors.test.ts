import { beforeAll, describe, expect, it } from 'vitest';
import { type RecordedRunDescription, writeRecordedRun } from '../../../../test/support/recorded-run.js';
import type { JsonObject, JsonValue } from '../../../core/canonical-json.js';
import { digestText } from '../../../core/digest.js';
import { openRunRecord } from '../../../experiment/reading/open-run-record.js';
import type { RunRecord } from '../../../experiment/run-record.js';
import type { ResolvedMatrix } from '../../../matrix/matrix.js';
import { compareRuns } from '../compare.js';

const DIGEST = digestText('x');
const PROMPT = { name: 'p', text: 'x', digest: DIGEST };
const PARAMETERS = { max_output_tokens: 256, temperature: 0, top_p: 1, seed: 1, reasoning_effort: 'low' } as const;
const model = (provider: string) => ({ provider, model: provider, parameters: PARAMETERS });
const REMOTE = {
  ...{ base_url: 'https://a.example', url_env: null, endpoint_name: null, api_key_env: 'A_KEY', region: 'eu' },
  ...{ timeout_ms: 1, overhead_tokens: 1, requests_per_minute: 1, tokens_per_minute: 1 },
  retry: { attempts: 2, on: ['rate_limit'], max_wait_ms: 1 },
};
const OPENAI = { ...REMOTE, kind: 'openai', wire_api: 'chat-completions', output_limit_field: 'max_tokens' } as const;

/** A matrix with everything that one can have. */
const MATRIX = {
  ...{ name: 'whole', load: { questions: ['q1'], categories: ['a'], repeats: 1, sample: { questions: 1, seed: '1' } } },
  formation: {
    ...{ formation_bank_directory: 'banks', bank: 'replay-only', pinned: { c1: DIGEST }, policy: 'facts@1' },
    ...{ policy_path: 'p.mjs', persistence: 'supersede', profile: model('former'), attempts: 2, replicates: 1 },
  },
  reader: { ...model('reader'), prompt: PROMPT },
  judges: { j: { ...model('judge'), prompt: PROMPT, repeats: 1, labels: { path: 'l', digest: DIGEST } } },
  query_preparation: {
    embedding: { provider: 'embedder', model: 'e', dimensions: 8, send_dimensions: true },
    ...{ sensitivity_floor: 'internal', ceilings: { request_nano_usd: '1', day_nano_usd: '1' } },
  },
  vector_banks: { directory: 'banks', bank: 'replay-only', pinned: { c1: { beliefs: DIGEST, turns: DIGEST } } },
  providers: { former: OPENAI, reader: OPENAI, judge: OPENAI, embedder: OPENAI, idle: OPENAI },
  prices: { reader: { model: 'reader', as_of: '2026-01-01', input: '1', output: '1' } },
  arms: [
    {
      name: 'own',
      retrieval: {
        ...{ strategy: 'semantic', unit: 'beliefs', limit: 10, mode: 'standard', as_of: 'question', core_size: 4 },
        ...{ read_ceiling: 'restricted', path: 'a.mjs', digest: DIGEST },
      },
      ...{ reference: false, recall: 'deliberate', query_preparation: 'off' },
      context: { lessons: 'inject', lesson_tokens: 9 },
    },
  ],
  scoring: ['token-f1', 'module:m.mjs', 'judge:j'],
  modules: { time_limit_ms: 1, scorers: { 'module:m.mjs': { path: 'm.mjs', digest: DIGEST } } },
} as unknown as Partial<ResolvedMatrix>;

/** What needs to be no factor, and why. Everything else of a matrix has to be one. */
const NO_FACTOR: readonly (readonly [RegExp, string])[] = [
  [/^(version|name)$/, 'no row rests on it'],
  [/^budget_nano_usd$/, 'a run that it stopped is incomplete, and said to be'],
  [/^(fixtures|load)\./, 'other histories and questions are refused, by their digests in the manifest'],
  [/\.(formation_bank_directory|policy_path|directory|path|labels\.path)$/, 'where a file is, not what'],
  [/^(formation|vector_banks)\.(bank|pinned\..*)$/, 'the banks themselves are compared'],
  [/\.prompt\.text$/, 'its digest is compared'],
  [/^judges\.j\.prompt\.name$/, 'its digest is compared'],
  [/^judges\.j\.labels\./, "people's verdicts are held against the judge, and score no row"],
  [/^providers\.idle\./, 'nothing is sent to it'],
  [/^providers\.\w+\.(api_key_env|overhead_tokens|requests_per_minute|tokens_per_minute)$/, 'who pays, and how fast'],
  [/^providers\.\w+\.url_env$/, 'a URL stands beside it, and is compared'],
  [/^providers\.(reader|judge|former)\.region$/, 'a region bars embeddings alone'],
  [/^providers\.former\.(timeout_ms|retry\..*)$/, 'what formation lost is in no bank, and has no rows'],
  [/^arms\.0\.(name|reference)$/, 'not the same arm any more: refused, or named as on one side alone'],
  [/^(baseline|scoring\..*|analysis\..*)$/, 'how runs are looked at: the notes tell what of it differs'],
];

let record: RunRecord;

beforeAll(async () => {
  const description: RecordedRunDescription = {
    ...{ arms: ['own'], scorers: ['token-f1', 'module:m.mjs', 'judge:j'], fixtures: [{ id: 'c1', questions: 2 }] },
    matrix: MATRIX,
  };
  record = await openRunRecord(await writeRecordedRun(description));
});

/** The record as a run of another matrix would be, rows and all. */
function of(matrix: ResolvedMatrix): RunRecord {
  const { run, path, manifest, result } = record;
  return { ...record, run, path, manifest, result, matrix, cells: () => record.cells() };
}

/** Every leaf: where it is, and the matrix with it changed. */
function changes(value: JsonValue, path: readonly string[] = []): { path: string; changed: JsonValue }[] {
  if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    return Object.entries(value).flatMap(([key, own]) =>
      changes(own as JsonValue, [...path, key]).map(({ path: name, changed }) => ({
        path: name,
        changed: isList
          ? value.map((one, index) => (`${index}` === key ? changed : one))
          : { ...value, [key]: changed },
      })),
    );
  }
  return [{ path: path.join('.'), changed: another(value) }];
}

function another(value: JsonValue): JsonValue {
  if (typeof value === 'number') return value / 2 + 0.25;
  if (typeof value === 'boolean') return !value;
  return value === null ? 'x' : `${value as string}x`;
}

describe('RP-2 whatever differs between two matrices', () => {
  it('RP-2 is a factor by its own name, leaf by leaf, but for what is listed with a reason', async () => {
    const silent: string[] = [];
    for (const { path, changed } of changes(record.matrix as unknown as JsonObject)) {
      const isListed = NO_FACTOR.some(([pattern]) => pattern.test(path));
      const asked = { scorers: 'all', across_banks: true, allow_degraded: true } as const;
      const found = await compareRuns(of(record.matrix), of(changed as unknown as ResolvedMatrix), asked).then(
        ({ factors }) => factors.length > 0,
        () => false,
      );
      if (found === isListed) silent.push(path);
    }
    expect(silent).toEqual([]);
  });

  it('RP-2 a timeout is no factor where the other side sends nothing', async () => {
    const local = { ...record.matrix, providers: { ...record.matrix.providers, reader: { kind: 'local' as const } } };
    const { factors } = await compareRuns(of(record.matrix), of(local), { allow_degraded: true });
    expect(factors.map(({ factor }) => factor)).toEqual(['reader']);
  });
});
