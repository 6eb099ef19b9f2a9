import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openJournal, readJournal } from './journal.js';

describe('journal', () => {
  it('RS-1 keeps the order of its appends, many at once', async () => {
    const path = join(await temporaryFolder(), 'j.jsonl');
    const journal = await openJournal(path, 'create');
    await Promise.all(Array.from({ length: 500 }, (_, n) => journal.append({ n })));
    await journal.close();
    const { entries, tornBytes } = await readJournal(path);
    expect(entries).toEqual(Array.from({ length: 500 }, (_, n) => ({ n })));
    expect(tornBytes).toBe(0);
  });

  it('RS-1 a line is on the disk when its append returns', async () => {
    const path = join(await temporaryFolder(), 'j.jsonl');
    const journal = await openJournal(path, 'create');
    await journal.append({ a: 1 });
    expect(await readFile(path, 'utf8')).toBe('{"a":1}\n');
    await journal.close();
  });

  it('R-13 a torn end is reported, and cut off before anything is added', async () => {
    const path = join(await temporaryFolder(), 'j.jsonl');
    await writeFile(path, '{"a":1}\n');
    await appendFile(path, '{"b":');
    expect(await readJournal(path)).toEqual({ entries: [{ a: 1 }], tornBytes: 5 });
    const journal = await openJournal(path, 'append');
    await journal.append({ c: 3 });
    await journal.close();
    expect(await readFile(path, 'utf8')).toBe('{"a":1}\n{"c":3}\n');
  });

  it('RS-1 never replaces a file, and a broken line in the middle is no journal', async () => {
    const path = join(await temporaryFolder(), 'j.jsonl');
    await writeFile(path, '{"a":\n{"b":1}\n');
    await expect(openJournal(path, 'create')).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(readJournal(path)).rejects.toBeInstanceOf(SyntaxError);
  });

  it('RS-1 after it is closed, nothing can be added', async () => {
    const journal = await openJournal(join(await temporaryFolder(), 'j.jsonl'), 'create');
    await journal.close();
    await expect(journal.append({})).rejects.toMatchObject({ code: 'JOURNAL_CLOSED' });
  });
});
