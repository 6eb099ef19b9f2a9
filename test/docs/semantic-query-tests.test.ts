import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MUTANTS } from '../mutants/mutants.js';

const PROJECT = join(import.meta.dirname, '..', '..');
const CONTRACT = 'test/contract/embedding-admission.contract.ts';

it('RS-6 each test and each mutant that the table of semantic queries names is there', async () => {
  const page = await readFile(join(PROJECT, 'docs/semantic-query-tests.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => /^\| (?!rule|---)/.test(line))
    .map((line) => line.split(' | '));
  expect(rows.length).toBeGreaterThan(70);
  for (const [rule, lines, test = '', seen = ''] of rows) {
    const [, title = '', place = ''] = /^(.*): (?:A|`(.*)`)$/.exec(test) ?? [];
    const file = place === '' ? CONTRACT : place.replace('…', 'src/memory/query-preparation');
    expect(await readFile(join(PROJECT, file), 'utf8'), rule).toContain(title === '' ? '\0' : title);
    expect(lines, rule).toMatch(/^[A-Z]{2}-\d+(, [A-Z]{2}-\d+)*$/);
    const [, mutant = null] = /, `(.*)`/.exec(seen) ?? [];
    if (mutant !== null) expect(MUTANTS.map(({ id }) => id)).toContain(mutant);
    expect(seen, rule).toMatch(/`[0-9a-f]{7}`/);
  }
});
