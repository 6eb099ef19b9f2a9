import { describe, expect, it } from 'vitest';
import { sampleRow } from '../../../test/support/observation-samples.js';
import { sampleRequest } from '../../../test/support/sample-formation.js';
import { digestText } from '../../core/digest.js';
import { exactRequest } from '../asking/exact-request.js';
import { isReplayable, replayedReader } from './replayed-reader.js';

const request = sampleRequest('q1', 'Where?');
const signal = new AbortController().signal;
const asked = digestText(exactRequest(request));

describe('RP-1 a reader that a past run stands for', () => {
  it('RP-1 answers the exact request with the first answer to it, says that nothing leaves the process, and knows no usage', async () => {
    const rows = [sampleRow({ request: asked }), sampleRow({ request: asked, repeat: 2, answer: 'Quay' })];
    const adapter = replayedReader(rows);
    expect(adapter.leaves_process).toBe(false);
    expect(await adapter.prepare(request).send(signal)).toMatchObject({
      contents: ['{"abstains":false,"answer":"Harbour Lane"}'],
      usage: null,
    });
    const abstained = replayedReader([sampleRow({ request: asked, answer: '', abstained: true })]);
    expect((await abstained.prepare(request).send(signal)).contents).toEqual(['{"abstains":true,"answer":""}']);
  });

  it('RP-1 has no answer to any other request, nor one that failed', async () => {
    for (const row of [
      sampleRow(),
      sampleRow({ request: asked, answer: null, outcome: { kind: 'failed', cause: null } }),
    ]) {
      await expect(replayedReader([row]).prepare(request).send(signal)).rejects.toMatchObject({
        code: 'READER_NOT_REPLAYED',
        remedy: expect.stringContaining('--against'),
      });
    }
  });

  it('RP-1 RT-8 replays the searches of a deliberate reader, each by the request that it answered, and then its answer', async () => {
    const [first, second] = ['search', 'answer'].map((text) => sampleRequest('q1', text));
    const [searching, answering] = [first, second].map((one) => digestText(exactRequest(one as typeof request)));
    const search = {
      query: 'bakery',
      subjects: ['Ada'],
      effective_strategy: 'bm25' as const,
      lookup_miss: null,
      retrieved: [],
      new_lines: 0,
      request: searching as string,
    };
    const row = sampleRow({ recall: 'deliberate', searches: [search], request: answering as string });
    const contents = async (rows: Parameters<typeof replayedReader>[0], one: typeof request | undefined) =>
      (
        await replayedReader(rows)
          .prepare(one as typeof request)
          .send(signal)
      ).contents;
    expect(await contents([row], first)).toEqual([
      '{"abstains":false,"answer":"","search":{"query":"bakery","subjects":["Ada"]}}',
    ]);
    expect(await contents([row], second)).toEqual(['{"abstains":false,"answer":"Harbour Lane","search":null}']);
    // Once no search was left, the schema had no room for one.
    const spent = { ...row, searches: [search, search, search] };
    expect(await contents([spent], second)).toEqual(['{"abstains":false,"answer":"Harbour Lane"}']);
    expect(isReplayable([row])(row)).toBe(true);
    // A repeat that was answered otherwise cannot be asked again; nor can what failed.
    const other = { ...row, repeat: 2, searches: [{ ...search, query: 'Lisbon' }] };
    expect([row, other].map(isReplayable([row, other]))).toEqual([true, false]);
    expect(isReplayable([row])({ ...row, outcome: { kind: 'failed', cause: null } })).toBe(false);
    expect(isReplayable([])(row)).toBe(false);
  });
});
