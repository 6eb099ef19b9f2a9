import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.js';
import type { Observation } from '../../src/experiment/asking/observation.js';
import type { RunResult } from '../../src/experiment/experiment.js';
import type { SessionOptions } from '../../src/experiment/open-session.js';
import { type RunOutcome, runMatrix } from '../../src/experiment/run.js';
import { simpleModels, stageOf } from './chat-models.js';
import {
  BM25,
  KEY,
  KEY_VARIABLE,
  type MatrixParts,
  PRICES,
  rowsOf,
  type SmallQuestion,
  writeFixture,
  writeMatrix,
} from './cli-priced.js';
import { type FailureRule, type OpenAiServer, startOpenAiServer } from './openai-server/index.js';
import { sessionOptions } from './session-options.js';

/** An embedding model that gives another vector for the same text each time it is asked (VB-1). */
export const MOODY = 'moody-embed-1';
/** One that always gives the same. */
export const STEADY = 'steady-embed-1';
/** Of both, in nano-dollars a token. */
const EMBEDDING_PRICE = { input_nano_usd: 20n, output_nano_usd: 0n };

/** Arms that search beliefs and turns by vectors, beside one that does not. */
export const VECTOR_ARMS = [
  BM25,
  { name: 'semantic', retrieval: { strategy: 'semantic', limit: 3 } },
  { name: 'hybrid', retrieval: { strategy: 'hybrid', limit: 3 } },
  { name: 'turns', retrieval: { strategy: 'semantic', unit: 'turns', limit: 3 } },
];

/** A server of every stage's API, also of embeddings. */
export function startRemoteServer(failures: readonly FailureRule[] = []): Promise<OpenAiServer> {
  return startOpenAiServer({
    api_key: KEY,
    models: { ...PRICES, [MOODY]: EMBEDDING_PRICE, [STEADY]: EMBEDDING_PRICE },
    answer: simpleModels(),
    failures,
  });
}

/** Writes a matrix whose every stage is sent, with a fixture named `small`. */
export async function writeRemoteMatrix(
  folder: string,
  server: OpenAiServer,
  parts: Partial<MatrixParts> = {},
  questions?: readonly SmallQuestion[],
): Promise<string> {
  const price = { as_of: '2026-05-01', source: 'the test server', input: '0.02' };
  if (parts.fixtures === undefined) await writeFixture(folder, 'small', undefined, questions);
  return writeMatrix(folder, {
    url: server.url,
    fixtures: ['./small'],
    arms: VECTOR_ARMS,
    concurrency: 1,
    embedding: { provider: 'remote', model: MOODY, dimensions: 8 },
    prices: { [MOODY]: price, [STEADY]: price },
    ...parts,
  });
}

/** What a verb would be told, with the server's key, for a run in the test's own process. */
export function remoteOptions(folder: string, changes: Partial<SessionOptions> = {}): SessionOptions {
  return sessionOptions(folder, { clock: systemClock, environment: { [KEY_VARIABLE]: KEY }, ...changes });
}

/** Runs a matrix in the test's own process, its rows read back. */
export async function runRemote(
  folder: string,
  changes: Partial<SessionOptions> = {},
): Promise<RunOutcome & { readonly rows: readonly Observation[] }> {
  const outcome = await runMatrix({ ...remoteOptions(folder, changes), matrixPath: join(folder, 'priced.yaml') });
  return { ...outcome, rows: await rowsOf(outcome.result.path) };
}

/** Which stage a request is of: the canonical text of a question is a JSON array, that of an item is not. */
export function remoteStageOf(body: unknown): ReturnType<typeof stageOf> | 'index' | 'query' {
  const { input } = body as { input?: string[] };
  if (input === undefined) return stageOf(body);
  return input.every(isQueryText) ? 'query' : 'index';
}

/** Whether a text that was embedded is a question's. */
export function isQueryText(text: string): boolean {
  return text.startsWith('["');
}

/** The questions of each request for their vectors since a request, in the order in which they came. */
export function queryRequests(server: OpenAiServer, since = 0): string[][] {
  return embeddingRequests(server, since)
    .filter((texts) => texts.every(isQueryText))
    .map((texts) => texts.map((text) => JSON.parse(text)[0]));
}

/** The texts of each embedding request since a request, in the order in which they came. */
export function embeddingRequests(server: OpenAiServer, since = 0): string[][] {
  return server.requests
    .slice(since)
    .filter(({ path }) => path === '/v1/embeddings')
    .map(({ body }) => [(body as { input: string | string[] }).input].flat());
}

/** What the result says that was paid and is held, added up over every stage, less what is told twice. */
export function sumOfActual(result: RunResult): { readonly paid: number; readonly uncertain: number } {
  const parts = [
    // Of live formation the arms have it already.
    ...result.formation.map(({ source, actual_nano_usd: paid, uncertain_nano_usd: uncertain }) => ({
      actual_nano_usd: source === 'live' ? 0 : paid,
      uncertain_nano_usd: uncertain,
    })),
    ...result.formation.flatMap(({ embedding: { index, query } }) => [index, query]),
    ...result.arms,
    ...(result.judging === null ? [] : [result.judging]),
  ];
  return {
    paid: parts.reduce((sum, { actual_nano_usd }) => sum + actual_nano_usd, 0),
    uncertain: parts.reduce((sum, { uncertain_nano_usd }) => sum + uncertain_nano_usd, 0),
  };
}
