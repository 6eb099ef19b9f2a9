import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptFolder } from '../../../test/support/kept-folder.js';
import type { OpenAiServer } from '../../../test/support/openai-server/index.js';
import {
  embeddingRequests,
  isQueryText,
  remoteStageOf,
  runRemote,
  startRemoteServer,
  sumOfActual,
  writeRemoteMatrix,
} from '../../../test/support/remote-run.js';
import { editFile } from '../../../test/support/small-matrix.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

/** A matrix with a judge, whose calls are tried again. */
const JUDGED = {
  provider: { retry: { attempts: 3, max_wait_ms: 1 } },
  formation: { attempts: 3 },
  scoring: ['token-f1', 'judge:plain'],
  judges: { plain: { provider: 'remote', model: 'judge-1', temperature: 0, max_output_tokens: 256 } },
};

let server: OpenAiServer;
let folder: string;
let remove: () => Promise<void>;
let first: Awaited<ReturnType<typeof runRemote>>;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startRemoteServer([{ when: isFirstOfItsStage(), failure: { kind: 'status', status: 500 } }]);
  await writeRemoteMatrix(folder, server, JUDGED);
  first = await runRemote(folder);
});
afterAll(async () => {
  await server.close();
  await remove();
});

/** The first call of each stage fails and its bill is not known: it is tried again. A question's vector never is (SQ-8). */
function isFirstOfItsStage(): (body: unknown) => boolean {
  const seen = new Set<string>(['query']);
  return (body) => {
    const stage = remoteStageOf(body);
    return !seen.has(stage) && seen.add(stage) !== null;
  };
}

const decided = (run: typeof first) =>
  run.rows.map(({ arm, question, retrieved, answer, attributed: { index, query }, vector_bank }) => ({
    arm,
    question,
    retrieved,
    answer,
    index,
    query,
    vector_bank,
  }));

describe('a run whose every stage is sent', () => {
  it('LG-12 OB-2 formation, vectors, readers and judges add up to what the ledger spent, and to what it holds', () => {
    const { result, rows } = first;
    expect(result.status, JSON.stringify(result.problems)).toBe('complete');
    const { spent_nano_usd, uncertain_nano_usd, held_nano_usd } = result.ledger;
    expect(sumOfActual(result)).toEqual({ paid: spent_nano_usd, uncertain: uncertain_nano_usd });
    expect(uncertain_nano_usd).toBe(held_nano_usd);
    // Each stage has its part, and tries that came to nothing are in it.
    const [{ actual_nano_usd, uncertain_nano_usd: recording, embedding } = expect.fail()] = result.formation;
    const { index, query } = embedding;
    const { judging } = result;
    for (const part of [actual_nano_usd, index.actual_nano_usd, query.actual_nano_usd, judging?.actual_nano_usd])
      expect(part).toBeGreaterThan(0);
    for (const part of [recording, index.uncertain_nano_usd, judging?.uncertain_nano_usd])
      expect(part).toBeGreaterThan(0);
    expect({ index: index.sends, query: query.sends }).toEqual({ index: 3, query: 1 });
    // The rows say the same of the readers as the ledger does.
    for (const { arm, actual_nano_usd: paid, uncertain_nano_usd: uncertain } of result.arms) {
      const own = rows.filter((row) => row.arm === arm).map(({ actual }) => actual);
      expect(own.reduce((sum, { nano_usd }) => sum + nano_usd, 0)).toBe(paid);
      expect(own.reduce((sum, row) => sum + row.uncertain_nano_usd, 0)).toBe(uncertain);
    }
    const billed = Number(server.bill().nano_usd);
    expect(billed).toBeLessThanOrEqual(spent_nano_usd + held_nano_usd);
    expect(billed).toBeGreaterThan(spent_nano_usd);
  });

  it('LG-2 RT-2 VB-3 SQ-2 items go out in batches, each text once; the questions in one group, each once, for all arms', () => {
    const [failed, ...requests] = embeddingRequests(server);
    const batches = requests.filter((texts) => !texts.every(isQueryText));
    expect(batches[0]).toEqual(failed);
    expect(first.result.formation[0]?.vectors.map(({ items }) => items)).toEqual(batches.map(({ length }) => length));
    const texts = requests.flat();
    expect(new Set(texts).size).toBe(texts.length);
    expect(requests).toHaveLength(batches.length + 1);
    expect(first.rows.every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
  });

  it('VB-1 VB-3 R-47 a second run shares the vectors of a provider that gives others each time: nothing embedded, retrieval equal', async () => {
    const before = server.requests.length;
    const second = await runRemote(folder);
    expect(second.result.status).toBe('complete');
    expect(embeddingRequests(server, before)).toEqual([]);
    expect(decided(second)).toEqual(decided(first));
    const [formation] = second.result.formation;
    expect(formation?.vectors.map(({ source }) => source)).toEqual(['replayed', 'replayed']);
    const none = { sends: 0, actual_nano_usd: 0, uncertain_nano_usd: 0 };
    expect(formation).toMatchObject({ actual_nano_usd: 0, embedding: { index: none, query: none } });
    const { spent_nano_usd, uncertain_nano_usd } = second.result.ledger;
    expect(sumOfActual(second.result)).toEqual({ paid: spent_nano_usd, uncertain: uncertain_nano_usd });
  });

  it('VB-1 replay-only refuses a miss before a server starts or anything is sent (exit 5)', async () => {
    const other = await temporaryFolder();
    await writeRemoteMatrix(other, server, { bank: 'replay-only', name: 'priced' });
    await editFile(
      join(other, 'priced.yaml'),
      'arms:',
      `vector_banks:\n  bank: replay-only\n  directory: ./none\narms:`,
    );
    await editFile(
      join(other, 'priced.yaml'),
      'formation_bank_directory: ./banks',
      `formation_bank_directory: ${join(folder, 'banks')}`,
    );
    const before = server.requests.length;
    const refused = runRemote(other, { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(refused).rejects.toMatchObject({ code: 'VECTOR_BANK_NOT_FOUND', exitCode: 5 });
    expect(server.requests).toHaveLength(before);
  });
});
