import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Observation, observationSchema } from '../../src/experiment/asking/observation.js';
import type { FormationResult, RunResult } from '../../src/experiment/experiment.js';
import { type CliOptions, type CliResult, command, cli as ownProcess } from './cli.js';
import { type OpenAiServer, type OpenAiServerOptions, startOpenAiServer } from './openai-server/index.js';

/** The key that the local server asks for; shaped like a key, and none. */
export const KEY = 'sk-test-e2e-5b1c9f0e77aa42d1';
export const KEY_VARIABLE = 'RM_E2E_KEY';
/** Of this process alone: tests beside it on the same server would have to wait for its owners' turns to prepare a question (SQ-9). */
export const E2E_TENANT = `e2e-${process.pid}`;
/** The models of the local server, in nano-dollars a token. */
export const PRICES = {
  'former-1': { input_nano_usd: 150n, output_nano_usd: 600n },
  'reader-1': { input_nano_usd: 400n, output_nano_usd: 1600n },
  'judge-1': { input_nano_usd: 100n, output_nano_usd: 400n },
  'judge-2': { input_nano_usd: 100n, output_nano_usd: 400n },
};

/** A Chat Completions server that serves these models. */
export function startPricedServer(
  options: Omit<OpenAiServerOptions, 'api_key' | 'models'> = {},
): Promise<OpenAiServer> {
  return startOpenAiServer({ ...options, api_key: KEY, models: PRICES });
}

/** Runs the built command line, with the server's key unless other variables are given; in a process of its own where files may not grow. */
export function cli(
  args: readonly string[],
  options: Pick<CliOptions, 'env' | 'largest_file_kib'> = {},
): Promise<CliResult> {
  const start = options.largest_file_kib === undefined ? command : ownProcess;
  return start(args, { env: { [KEY_VARIABLE]: KEY }, ...options });
}

/** A `run` with its files read back. */
export interface FinishedRun extends CliResult {
  readonly result: RunResult;
  readonly rows: readonly Observation[];
  readonly journal: readonly JournalLine[];
}

/** A line of `ledger.jsonl`, as docs/formats/ledger.md gives it. */
export interface JournalLine {
  readonly kind?: 'reserve' | 'settle' | 'release' | 'hold' | 'breach' | 'amendment';
  readonly id?: string;
  readonly amount_nano_usd?: number;
  readonly cost_nano_usd?: number;
  readonly reason?: string;
  readonly arm?: string | null;
  readonly stage?: string;
  readonly fixture?: string;
  readonly unit?: string;
  readonly body?: string;
  readonly limit_nano_usd: number;
  readonly spent_nano_usd: number;
  readonly held_nano_usd: number;
}

/** `run MATRIX --json` into `folder/runs`, its rows read by the observation schema. */
export async function run(
  folder: string,
  matrix: string,
  options: Parameters<typeof cli>[1] = {},
  flags: readonly string[] = [],
): Promise<FinishedRun> {
  const done = await cli(['run', matrix, '--json', '--out', join(folder, 'runs'), ...flags], options);
  let result: RunResult;
  try {
    result = JSON.parse(done.stdout) as RunResult;
  } catch {
    throw new Error(`exit ${done.code}, and no JSON: ${done.stdout.slice(0, 2000)}\n${done.stderr.slice(-4000)}`);
  }
  if (result.format !== 'run-result@1') throw new Error(`exit ${done.code}: ${done.stdout}\n${done.stderr}`);
  return { ...done, result, rows: await rowsOf(result.path), journal: await journalOf(result.path) };
}

/** Every finalised row of a run, each valid by the schema. */
export async function rowsOf(runFolder: string): Promise<Observation[]> {
  const files = (await allFiles(join(runFolder, 'arms'))).filter((path) => path.endsWith('.observations.jsonl'));
  const rows: Observation[] = [];
  for (const file of files.sort()) {
    for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean))
      rows.push(observationSchema.parse(JSON.parse(line)));
  }
  return rows;
}

export async function journalOf(runFolder: string): Promise<JournalLine[]> {
  const text = await readFile(join(runFolder, 'ledger.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JournalLine);
}

/** Paths of all regular files under a folder; none where it is not there. */
export async function allFiles(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => null);
  if (found === null) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** What a test says of its matrix; the rest is the quickstart's, priced. */
export interface MatrixParts {
  readonly url: string;
  readonly fixtures: readonly string[];
  readonly arms: readonly unknown[];
  readonly budget_usd?: string;
  readonly bank?: string;
  readonly formation?: Readonly<Record<string, unknown>> | 'none';
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly reader?: Readonly<Record<string, unknown>>;
  readonly provider?: Readonly<Record<string, unknown>>;
  /** More providers, by alias. */
  readonly providers?: Readonly<Record<string, unknown>>;
  readonly embedding?: Readonly<Record<string, unknown>>;
  /** More prices, by model. */
  readonly prices?: Readonly<Record<string, unknown>>;
  readonly scoring?: readonly string[];
  readonly judges?: Readonly<Record<string, unknown>>;
  readonly concurrency?: number;
  readonly load?: unknown;
  readonly name?: string;
}

/** Writes `folder/NAME.yaml`, its banks beside it. */
export async function writeMatrix(folder: string, parts: MatrixParts): Promise<string> {
  const name = parts.name ?? 'priced';
  const path = join(folder, `${name}.yaml`);
  const shared = { provider: 'remote', temperature: 0 };
  const price = (input: string, output: string) => ({ as_of: '2026-05-01', source: 'the test server', input, output });
  await mkdir(folder, { recursive: true });
  await writeFile(
    path,
    stringify({
      version: 1,
      name,
      budget_usd: parts.budget_usd ?? '20',
      fixtures: parts.fixtures,
      ...(parts.load === undefined ? {} : { load: parts.load }),
      formation:
        parts.formation === 'none'
          ? 'none'
          : {
              formation_bank_directory: './banks',
              bank: parts.bank ?? 'record-if-missing',
              policy: 'facts@1',
              persistence: 'supersede',
              profile: { ...shared, model: 'former-1', max_output_tokens: 8192, ...parts.profile },
              ...parts.formation,
            },
      context: { tokens: 1500 },
      reader: { ...shared, model: 'reader-1', prompt: 'short-answer', max_output_tokens: 256, ...parts.reader },
      query_preparation: { embedding: parts.embedding ?? { provider: 'local', model: 'use-lite-512' } },
      providers: {
        local: { kind: 'local' },
        remote: {
          kind: 'openai',
          base_url: parts.url,
          endpoint_name: 'e2e-server',
          api_key_env: KEY_VARIABLE,
          timeout_ms: 30_000,
          // What a test scripts to fail, fails once and for all; tests of retries say otherwise.
          retry: { attempts: 1 },
          ...parts.provider,
        },
        ...parts.providers,
      },
      prices: {
        'former-1': price('0.15', '0.60'),
        'reader-1': price('0.40', '1.60'),
        'judge-1': price('0.10', '0.40'),
        'judge-2': price('0.10', '0.40'),
        ...parts.prices,
      },
      ...(parts.judges === undefined ? {} : { judges: parts.judges }),
      arms: parts.arms,
      scoring: parts.scoring ?? ['token-f1', 'exact-match', 'evidence-recall@10'],
      concurrency: parts.concurrency ?? 2,
    }),
  );
  return path;
}

export const BM25 = { name: 'bm25', retrieval: { strategy: 'bm25', limit: 5 } };
export const RECENCY = { name: 'recency', retrieval: { strategy: 'recency', limit: 5 } };

/** One turn of a small fixture: who says what. */
export type SmallTurn = readonly [speaker: string, text: string];
export interface SmallQuestion {
  readonly question: string;
  readonly expected: readonly string[];
  readonly evidence: readonly string[];
  readonly category?: string;
}

/** Writes a fixture of short sessions, one formation call each. Turns are named S1:1, S1:2, S2:1, ... */
export async function writeFixture(
  folder: string,
  id: string,
  sessions: readonly (readonly SmallTurn[])[] = SESSIONS,
  questions: readonly SmallQuestion[] = QUESTIONS,
): Promise<string> {
  const path = join(folder, id);
  await mkdir(path, { recursive: true });
  const manifest = {
    format: 'fixture@1',
    id,
    title: 'Small',
    owner: { tenant: E2E_TENANT, principal: id },
    source: 'Written for this test.',
    licence: 'CC0-1.0',
    review: { status: 'unreviewed', by: null, at: null },
  };
  const turns = sessions.flatMap((session, day) =>
    session.map(([speaker, text], place) => ({
      kind: 'turn',
      id: `S${day + 1}:${place + 1}`,
      session: `session_${day + 1}`,
      at: `2024-03-0${day + 1}T10:${String(place).padStart(2, '0')}:00`,
      speaker,
      text,
      sensitivity: 'internal',
    })),
  );
  const names = [...new Set(turns.map(({ speaker }) => speaker))];
  const lines = questions.map(({ question, expected, evidence, category }, index) => ({
    id: `${id}/q${index + 1}`,
    question,
    asked_at: '2024-04-01T09:00:00',
    subjects: names.filter((name) => new RegExp(`\\b${name}\\b`).test(question)),
    category: category ?? 'single-hop',
    answerable: expected.length > 0,
    expected,
    evidence,
  }));
  await writeFile(join(path, 'fixture.yaml'), stringify(manifest));
  await writeFile(join(path, 'history.jsonl'), turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  await writeFile(join(path, 'questions.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

const SESSIONS: readonly (readonly SmallTurn[])[] = [
  [
    ['Ada', 'I moved to Lisbon in January.'],
    ['Bo', 'My dog is called Pepper.'],
  ],
  [
    ['Ada', 'The bakery on Rua Nova hired me.'],
    ['Bo', 'I sold the red bicycle to Milo.'],
  ],
];

const QUESTIONS: readonly SmallQuestion[] = [
  { question: 'Where did Ada move?', expected: ['Lisbon'], evidence: ['S1:1'] },
  { question: 'What is the name of the dog of Bo?', expected: ['Pepper'], evidence: ['S1:2'] },
  { question: 'Who hired Ada?', expected: ['the bakery on Rua Nova'], evidence: ['S2:1'] },
  { question: 'Who bought the red bicycle?', expected: ['Milo'], evidence: ['S2:2'], category: 'multi-hop' },
];

/** What a run says of one fixture's formation. */
export function formationOf(result: RunResult, fixture: string): FormationResult {
  const found = result.formation.find((one) => one.fixture === fixture);
  if (found === undefined) throw new Error(`no formation of ${fixture}`);
  return found;
}
