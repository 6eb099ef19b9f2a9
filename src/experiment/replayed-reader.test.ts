import { describe, expect, it } from 'vitest';
import { sampleRow } from '../../test/support/observation-samples.js';
import { sampleRequest } from '../../test/support/sample-formation.js';
import { digestText } from '../core/digest.js';
import { exactRequest } from './exact-request.js';
import { replayedReader } from './replayed-reader.js';

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
});
