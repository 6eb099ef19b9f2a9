import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { manualClock } from '../core/clock.js';
import { digestText } from '../core/digest.js';
import { RunFolder } from './run-folder.js';

const clock = manualClock('2026-02-03T04:05:06.789Z');

describe('R-15, OB-5 a run folder', () => {
  it('R-15 two runs that start in one instant with one seed have folders of their own', async () => {
    const out = join(await temporaryFolder(), 'deep', 'runs');
    const [one, two] = await Promise.all([1, 2].map(() => RunFolder.create(out, 'quickstart', 'seed', clock)));
    expect(one?.id).not.toBe(two?.id);
    expect((await readdir(out)).sort()).toEqual([one?.id, two?.id].sort());
    expect(one?.id).toMatch(/^quickstart-20260203-040506-[0-9a-f]{4}$/);
  });

  it('RS-4 folders and files are their owner’s alone', async () => {
    const folder = await RunFolder.create(await temporaryFolder(), 'm', 's', clock);
    await folder.prepareArm('bm25');
    await folder.writeManifest({ format: 'run@1' });
    await folder.keepRequest(digestText('r'), '{"a":1}');
    await folder.writeState({ fixture: 'harbour', replicate: 1 }, null, {});
    const names = await readdir(folder.path, { recursive: true });
    expect(names).toHaveLength(7);
    for (const name of ['.', ...names]) expect((await stat(join(folder.path, name))).mode & 0o077, name).toBe(0);
  });

  it('CL-2 a place that cannot be written is exit 2, with the remedy', async () => {
    const place = join(await temporaryFolder(), 'file');
    await writeFile(place, '');
    await expect(RunFolder.create(place, 'm', 's', clock)).rejects.toMatchObject({
      exitCode: 2,
      remedy: expect.stringContaining('folder'),
    });
  });

  it('OB-5 finalised rows replace the journal of their commits', async () => {
    const folder = await RunFolder.create(await temporaryFolder(), 'm', 's', clock);
    await folder.prepareArm('bm25');
    await writeFile(folder.rowsPath('bm25', { fixture: 'harbour', replicate: 1 }), '{}\n');
    await folder.finaliseRows('bm25', { fixture: 'harbour', replicate: 1 }, [{ b: 1, a: 2 }, { a: 3 }]);
    expect(await readdir(join(folder.path, 'arms', 'bm25'))).toEqual(['harbour.observations.jsonl']);
    expect(await readFile(folder.observationsPath('bm25', { fixture: 'harbour', replicate: 1 }), 'utf8')).toBe(
      '{"a":2,"b":1}\n{"a":3}\n',
    );
  });

  it('OB-1 an exact request is kept once, under its digest', async () => {
    const folder = await RunFolder.create(await temporaryFolder(), 'm', 's', clock);
    const digest = digestText('r');
    await folder.keepRequest(digest, '{"a":2,"b":1}');
    await folder.keepRequest(digest, '{"other":true}');
    expect(await readFile(join(folder.path, 'requests', `${digest.replace(':', '-')}.json`), 'utf8')).toBe(
      '{"a":2,"b":1}\n',
    );
  });
});
