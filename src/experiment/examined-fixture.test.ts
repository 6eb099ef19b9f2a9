import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallHistory, writeFixture } from '../../test/support/small-matrix.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadFixture } from '../fixture/load.js';
import { examineFixture, openFixture } from './examined-fixture.js';

async function fixtureFolder(): Promise<string> {
  const parent = await temporaryFolder();
  await writeFixture(parent, 'mill');
  return join(parent, 'mill');
}

describe('FX-4 a fixture that is examined, let go of, and opened when it is due', () => {
  it('keeps everything but the history, and as many batches as the history needs calls', async () => {
    const folder = await fixtureFolder();
    const examined = await examineFixture(folder);
    const { history, ...outline } = await loadFixture(folder);
    expect(history).toHaveLength(smallHistory().length);
    expect(examined).toEqual({
      ...outline,
      batch_bytes: expect.anything(),
      turn_size: { texts: 4, request_bytes: [178] },
      turn_texts: expect.stringMatching(/^sha256:/),
    });
    expect(examined.batch_bytes).toHaveLength(3);
    expect(Math.min(...examined.batch_bytes)).toBeGreaterThan(160);
    expect((await openFixture(examined)).history).toEqual(history);
  });

  it.each<[string, (folder: string) => Promise<void>]>([
    [
      'its history',
      (folder) =>
        appendFile(
          join(folder, 'history.jsonl'),
          `${JSON.stringify({ kind: 'erasure', id: 'e:1', of: 'a:1', at: '2024-02-05T08:00:00' })}\n`,
        ),
    ],
    [
      'a label',
      async (folder) => {
        const path = join(folder, 'questions.jsonl');
        await writeFile(path, (await readFile(path, 'utf8')).replace('yellow', 'green'));
      },
    ],
  ])('is refused where %s was changed in between', async (_name, change) => {
    const folder = await fixtureFolder();
    const examined = await examineFixture(folder);
    await change(folder);
    await expect(openFixture(examined)).rejects.toMatchObject({ code: 'FIXTURE_CHANGED', exitCode: 2 });
  });
});
