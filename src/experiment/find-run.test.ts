import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { findRun } from './find-run.js';

describe('CL-1 finding a run', () => {
  async function runs(): Promise<string> {
    const out = await temporaryFolder();
    for (const [name, started_at] of [
      ['b-old', '2026-01-01T00:00:00.000Z'],
      ['a-new', '2026-01-02T00:00:00.000Z'],
    ] as const) {
      await mkdir(join(out, name));
      await writeFile(join(out, name, 'run.json'), JSON.stringify({ format: 'run@1', started_at }));
    }
    await mkdir(join(out, 'z-no-run'));
    return out;
  }

  it('CL-1 `latest` is the one that started last, not the last name', async () => {
    const out = await runs();
    expect(await findRun(out, 'latest')).toBe(join(out, 'a-new'));
  });

  it('CL-1 an id, or a folder', async () => {
    const out = await runs();
    expect(await findRun(out, 'b-old')).toBe(join(out, 'b-old'));
    expect(await findRun('/nowhere', join(out, 'b-old'))).toBe(join(out, 'b-old'));
  });

  it.each(['latest', 'z-no-run', 'nothing'])('CL-2 %s that is no run is exit 2', async (run) => {
    const out = run === 'latest' ? join(await temporaryFolder(), 'none') : await runs();
    await expect(findRun(out, run)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND', exitCode: 2 });
  });

  it.each([
    '',
    '{"format":"run@1","star',
    'null',
    '[]',
    '{"format":"run@1"}',
    '{"format":"run@1","started_at":"then"}',
  ])(
    'CL-1 OB-5 `latest` beside a manifest %j is refused by its name: an older run is never taken for it',
    async (text) => {
      const out = await runs();
      await mkdir(join(out, 'c-torn'));
      await writeFile(join(out, 'c-torn', 'run.json'), text);
      const refused = findRun(out, 'latest');
      await expect(refused).rejects.toMatchObject({ code: 'RUN_MANIFEST_BROKEN', exitCode: 2 });
      await expect(refused).rejects.toThrow('c-torn');
      expect(await findRun(out, 'a-new')).toBe(join(out, 'a-new'));
    },
  );
});
