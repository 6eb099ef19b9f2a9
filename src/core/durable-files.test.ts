import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { readBounded, writeExclusive, writeReplacing } from './durable-files.js';
import { invalidInput } from './errors.js';

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
    const tooLarge = (bytes: number) => invalidInput('TOO_LARGE', `${bytes}`);
    await expect(readBounded(path, 10, tooLarge)).rejects.toMatchObject({ code: 'TOO_LARGE', message: '11' });
    expect((await readBounded(path, 11, tooLarge))?.length).toBe(11);
    expect(await readBounded(`${path}.none`, 10, tooLarge)).toBeNull();
  });
});
