import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { journalOf, type SmallTurn, writeFixture } from '../../../test/support/cli-priced.js';
import { keptFolder } from '../../../test/support/kept-folder.js';
import type { OpenAiServer } from '../../../test/support/openai-server/index.js';
import {
  embeddingRequests,
  MOODY,
  remoteOptions,
  runRemote,
  STEADY,
  startRemoteServer,
  writeRemoteMatrix,
} from '../../../test/support/remote-run.js';
import { resumeRun } from '../resuming/resume-run.js';

/** Two requests of 128 texts each. */
const SESSIONS = Array.from({ length: 8 }, (_, day) =>
  Array.from({ length: 32 }, (_, place): SmallTurn => ['Ada', `I counted ${100 + day * 32 + place} boats in the bay.`]),
);

let server: OpenAiServer;
let folder: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startRemoteServer([
    { when: (body) => (body as { model?: string }).model === MOODY, failure: { kind: 'missing-usage' } },
  ]);
});
afterAll(async () => {
  await server.close();
  await remove();
});

async function write(name: string, model: string, dayNanoUsd: bigint | null): Promise<string> {
  const path = await writeRemoteMatrix(folder, server, {
    name,
    fixtures: ['./many'],
    formation: 'none',
    arms: [{ name: 'turns', retrieval: { strategy: 'semantic', unit: 'turns', limit: 3 } }],
    embedding: { provider: 'remote', model, dimensions: 8 },
    load: { questions: ['many/q1'] },
  });
  if (dayNanoUsd === null) return path;
  const matrix = parse(await readFile(path, 'utf8'));
  const day_usd = `0.${`${dayNanoUsd}`.padStart(9, '0')}`;
  const { query_preparation } = matrix;
  await writeFile(
    path,
    stringify({ ...matrix, query_preparation: { ...query_preparation, ceilings: { request_usd: day_usd, day_usd } } }),
  );
  return path;
}

it('SQ-9 VB-2 LG-2 an owner’s day that ends in the middle of an index job keeps what came before, sends nothing more, and is gone on with at the cursor', async () => {
  await writeFixture(folder, 'many', SESSIONS);
  // What a provider does not say that it used stays charged whole: the day is half spent.
  await write('priced', MOODY, null);
  const spent = await runRemote(folder);
  const journal = await journalOf(spent.result.path);
  const charges = journal
    .filter(({ kind, stage }) => kind === 'reserve' && (stage === 'index' || stage === 'query'))
    .map((line) => BigInt(line.amount_nano_usd ?? 0));
  const before = server.requests.length;
  // A day with room for one more of the two requests, and a little.
  const room = charges.reduce((sum, charge) => sum + charge) + (charges[0] ?? 0n) + 12_000n;
  await write('priced', STEADY, room);
  const { result, kinds } = await runRemote(folder);
  expect({ kinds, status: result.status }).toEqual({ kinds: ['budget'], status: 'incomplete' });
  expect(result.problems.map(({ code }) => code)).toEqual(['EMBEDDING_NOT_ADMITTED']);
  expect(embeddingRequests(server, before).map((texts) => texts.length)).toEqual([128]);
  const [refused] = result.formation;
  expect(refused?.embedding.index).toMatchObject({ sends: 1, uncertain_nano_usd: 0 });
  // On the same day, resuming it sends nothing.
  const again = server.requests.length;
  const how = { run: 'latest', matrixPath: null, budget: null, retryFailed: false };
  expect((await resumeRun({ ...remoteOptions(folder), ...how })).kinds).toEqual(['budget']);
  expect(server.requests.length).toBe(again);
  await write('priced', STEADY, null);
  const whole = await runRemote(folder);
  expect(whole.result.status).toBe('complete');
  expect(embeddingRequests(server, again).map((texts) => texts.length)).toEqual([128, 1]);
  expect(whole.result.formation[0]?.vectors).toMatchObject([{ source: 'recorded', items: 256 }]);
});
