import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { ensureFolder, readBounded, writeExclusive, writeReplacing } from './durable-files.js';
import { invalidInput } from './errors.js';

describe('making folders', () => {
  it('RS-3 a folder is made with its parents, and made again is the same', async () => {
    const path = join(await temporaryFolder(), 'a', 'b');
    await ensureFolder(path, 0o700);
    await ensureFolder(path, 0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('RS-3 of many that make one folder, all find it made', async () => {
    const path = join(await temporaryFolder(), 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 20 }, () => ensureFolder(path)));
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it.runIf(process.platform === 'linux')(
    'RS-3 a place that can hold no folder is refused, and does not hang',
    async () => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'file'), '');
      await symlink(join(folder, 'nowhere'), join(folder, 'dangling'));
      for (const path of [
        '/proc/x',
        '/proc/x/y/z',
        join(folder, 'file'),
        join(folder, 'file', 'x'),
        join(folder, 'dangling', 'x'),
      ])
        await expect(ensureFolder(path), path).rejects.toMatchObject({
          code: 'FOLDER_NOT_WRITABLE',
          exitCode: 2,
          message: expect.stringContaining(path),
          remedy: 'name a folder that you may write to',
        });
    },
  );
});

describe('durable files', () => {
  it('FB-10 an exclusive file is private, leaves nothing beside it, and never replaces another', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'f');
    expect(await writeExclusive(path, 'one')).toBe(true);
    expect(await writeExclusive(path, 'two')).toBe(false);
    expect(await readFile(path, 'utf8')).toBe('one');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['f']);
  });

  it('FB-10 of many writers of one name, one wins', async () => {
    const path = join(await temporaryFolder(), 'f');
    const won = await Promise.all(Array.from({ length: 20 }, (_, n) => writeExclusive(path, `${n}`)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(String(won.indexOf(true)));
  });

  it('RS-1 a replacing write is whole', async () => {
    const path = join(await temporaryFolder(), 'f');
    await writeReplacing(path, 'long old text');
    await writeReplacing(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  it('FB-8 size is checked before a byte is read', async () => {
    const path = join(await temporaryFolder(), 'f');
    await writeFile(path, 'x'.repeat(11));
    const tooLarge = (bytes: number) => invalidInput('TOO_LARGE', `${bytes}`, { remedy: 'shorten it' });
    await expect(readBounded(path, 10, tooLarge)).rejects.toMatchObject({ code: 'TOO_LARGE', message: '11' });
    expect((await readBounded(path, 11, tooLarge))?.length).toBe(11);
    expect(await readBounded(`${path}.none`, 10, tooLarge)).toBeNull();
  });
});
