import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { digestText } from '../../core/digest.js';
import { QueryMisses } from './query-misses.js';

const [A, B] = [digestText('a'), digestText('b')];

describe('SQ-1 the misses of a run', () => {
  it('SQ-1 OB-5 are there when the run goes on, the last one of a text; a torn line is not; a file is made only for a miss', async () => {
    const path = join(await temporaryFolder(), 'vectors', 'mill.misses.jsonl');
    const first = await QueryMisses.open(path);
    expect(first.get(A)).toBeNull();
    await first.close();
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await first.note(A, { miss: 'unprepared', reason: 'deadline' });
    await first.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await appendFile(path, '{"format":"query-miss@1","te');
    const second = await QueryMisses.open(path);
    await second.note(B, { miss: 'withheld:injection', reason: null });
    await second.note(A, { miss: 'refused:day', reason: null });
    await second.close();
    const third = await QueryMisses.open(path);
    expect([third.get(A), third.get(B)]).toEqual([
      { miss: 'refused:day', reason: null },
      { miss: 'withheld:injection', reason: null },
    ]);
    expect(await readFile(path, 'utf8')).not.toContain('"a"');
  });

  it('SQ-1 a file that holds something else is refused, with its path', async () => {
    const path = join(await temporaryFolder(), 'm.jsonl');
    for (const text of ['no\n', '{}\n', `{"format":"query-miss@1","text":"${A}","miss":"lost","reason":null}\n`]) {
      await writeFile(path, text);
      await expect(QueryMisses.open(path)).rejects.toMatchObject({ code: 'QUERY_MISSES_BROKEN', exitCode: 2 });
    }
  });
});
