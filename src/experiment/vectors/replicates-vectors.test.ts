import { afterEach, expect, it } from 'vitest';
import type { OpenAiServer } from '../../../test/support/openai-server/index.js';
import {
  embeddingRequests,
  runRemote,
  startRemoteServer,
  sumOfActual,
  writeRemoteMatrix,
} from '../../../test/support/remote-run.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

let server: OpenAiServer;
afterEach(() => server.close());

it('FB-18 VB-1 LG-12 replicates of one state share its vectors; what each replicate paid adds up to what was spent', async () => {
  const folder = await temporaryFolder();
  server = await startRemoteServer();
  await writeRemoteMatrix(folder, server, { formation: { replicates: 2 } });
  const { result, rows } = await runRemote(folder);
  expect(result.status, JSON.stringify(result.problems)).toBe('complete');
  const [first, second] = result.formation;
  expect([first, second].map((formed) => formed?.vectors.map(({ unit, source }) => `${unit} ${source}`))).toEqual([
    ['beliefs recorded', 'turns recorded'],
    ['beliefs replayed', 'turns replayed'],
  ]);
  expect(second?.vector_bank).toBe(first?.vector_bank);
  const texts = embeddingRequests(server).flat();
  expect(new Set(texts).size).toBe(texts.length);
  expect(second?.actual_nano_usd).toBe(first?.actual_nano_usd);
  expect([first?.embedding.index.sends, second?.embedding.index.sends]).toEqual([2, 0]);
  expect(sumOfActual(result)).toEqual({ paid: result.ledger.spent_nano_usd, uncertain: 0 });
  const retrieved = (replicate: number) =>
    rows
      .filter((row) => row.replicate === replicate)
      .map(({ arm, question, retrieved: items }) => ({ arm, question, items }));
  expect(retrieved(2)).toEqual(retrieved(1));
});
