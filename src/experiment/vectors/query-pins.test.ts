import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { digestText } from '../../core/digest.js';
import { NO_USAGE } from '../../provider/usage.js';
import { QueryPins } from './query-pins.js';

const [A, B] = [digestText('a'), digestText('b')];
const vector = Float32Array.of(0.1, -0, 1e-40);

describe('VB-3 question vectors in a run folder', () => {
  it('VB-3 OB-5 what was kept is there bit for bit when the run goes on, a torn line is not, and more can be kept', async () => {
    const path = join(await temporaryFolder(), 'vectors', 'mill.queries.jsonl');
    const first = await QueryPins.open(path);
    expect(first.get(A)).toBeNull();
    await first.keep(A, { vector, usage: NO_USAGE });
    await first.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await appendFile(path, '{"format":"query-vector@1","te');
    const second = await QueryPins.open(path);
    const pin = second.get(A);
    expect(new Uint32Array(pin?.vector.buffer as ArrayBuffer)).toEqual(new Uint32Array(vector.buffer));
    expect(pin?.usage).toEqual(NO_USAGE);
    await second.keep(B, { vector: Float32Array.of(1), usage: null });
    await second.close();
    const third = await QueryPins.open(path);
    expect([third.get(A)?.vector.length, third.get(B)]).toEqual([3, { vector: Float32Array.of(1), usage: null }]);
    expect(await readFile(path, 'utf8')).not.toContain('"a"');
  });

  it('VB-3 a bank that others see stands before what was prepared here', async () => {
    const pins = await QueryPins.open(join(await temporaryFolder(), 'q.jsonl'));
    await pins.keep(A, { vector, usage: null });
    pins.addAll(new Map([[A, { vector: Float32Array.of(9), usage: null }]]));
    expect(pins.get(A)?.vector).toEqual(Float32Array.of(9));
    await pins.close();
  });

  it('VB-3 a file that holds something else is refused, with its path', async () => {
    const path = join(await temporaryFolder(), 'q.jsonl');
    for (const text of ['no\n', '{}\n', `{"format":"query-vector@1","text":"${A}","usage":null,"vector":"AAAA"}\n`]) {
      await writeFile(path, text);
      await expect(QueryPins.open(path)).rejects.toMatchObject({ code: 'QUERY_VECTORS_BROKEN', exitCode: 2 });
    }
  });
});
