import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants.js';

const PROJECT = resolve(fileURLToPath(import.meta.url), '../../..');
const read = (file: string): string => readFileSync(resolve(PROJECT, file), 'utf8');

/** The rules that must have a mutant, whatever else has one. */
const COVERED =
  'LG-1 LG-2 LG-3 LG-4 LG-5 LG-6 LG-7 LG-8 LG-9 LG-10 LG-12 FB-2 FB-3 FB-4 FB-5 FB-6 FB-7 FB-8 FB-9 FB-10 FB-11 FB-12 FB-14 FB-18 ST-1 ST-2 ST-3 ST-4 ' +
  'PG-1 PG-3 PG-4 FX-1 FX-2 FX-3 FX-5 FX-7 MX-2 MX-3 MX-4 MX-5 MX-9 RT-2 RT-3 RT-4 SQ-1 SQ-2 SQ-5 OB-2 OB-4 OB-6 LE-1 LE-2 LE-3 LE-4 LE-5 LE-6 LE-7 RS-4 RP-2 RP-3 RP-6 RP-4 CL-2 R-37 R-38 R-39';

describe('RS-6 the kept mutants', () => {
  it.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))(
    'RS-6 %s stands in its file once, with its tests',
    (_id, mutant) => {
      expect(read(mutant.file).split(mutant.find)).toHaveLength(2);
      expect(mutant.replace).not.toBe(mutant.find);
      expect(mutant.tests.length).toBeGreaterThan(0);
      for (const test of mutant.tests) expect(existsSync(resolve(PROJECT, test)), test).toBe(true);
      expect(mutant.requirement).toMatch(/^[A-Z]{1,2}-\d+( [A-Z]{1,2}-\d+)*$/);
    },
  );

  it('RS-6 ids are unique, and none is the same fault twice', () => {
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
    const faults = MUTANTS.map(({ file, find, replace }) => JSON.stringify([file, find, replace]));
    expect(new Set(faults).size).toBe(MUTANTS.length);
  });

  it('RS-6 every rule that refuses or keeps an invariant has one', () => {
    const named = new Set(MUTANTS.flatMap(({ requirement }) => requirement.split(' ')));
    expect(COVERED.split(' ').filter((line) => !named.has(line))).toEqual([]);
  });
});
