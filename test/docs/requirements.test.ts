import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PROJECT = resolve(fileURLToPath(import.meta.url), '../../..');

/** How many lines each chapter of the requirements has. */
const CHAPTERS: readonly (readonly [string, number])[] = [
  ['MX', 9],
  ['FX', 7],
  ['FB', 18],
  ['ST', 5],
  ['PG', 5],
  ['LG', 12],
  ['PR', 4],
  ['RT', 8],
  ['OB', 8],
  ['RP', 8],
  ['CL', 4],
  ['SQ', 14],
  ['VB', 3],
  ['LE', 7],
  ['RS', 6],
  ['PF', 6],
];
const IDS = CHAPTERS.flatMap(([chapter, lines]) =>
  Array.from({ length: lines }, (_, index) => `${chapter}-${index + 1}`),
);

// This file's own titles name none: an example of its own must not prove a line.
const TITLE =
  /\b(?:it|test|describe)(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

function idsIn(text: string): string[] {
  return text.match(/\b[A-Z]{2}-\d+\b/g) ?? [];
}

/** The titles of a test file. */
function titlesIn(source: string): string[] {
  return [...source.matchAll(TITLE)].map(([, single, double, template]) => single ?? double ?? template ?? '');
}

/** The ids that open a row of a table of open requirements. */
function openIds(markdown: string): string[] {
  return markdown
    .split('\n')
    .flatMap((line) => idsIn(/^\| ([A-Z]{2}-\d+(?:, [A-Z]{2}-\d+)*) \|/.exec(line)?.[1] ?? ''));
}

/** Kinds of fault that other projects reported: R-01 to R-48. */
const FAULTS = Array.from({ length: 48 }, (_, index) => `R-${String(index + 1).padStart(2, '0')}`);

async function titlesOfTests(): Promise<string[]> {
  const titles: string[] = [];
  for (const folder of ['src', 'test', 'scripts']) {
    for (const name of await readdir(join(PROJECT, folder), { recursive: true })) {
      if (!/\.(test|contract)\.tsx?$/.test(name) || name.endsWith('requirements.test.ts')) continue;
      titles.push(...titlesIn(await readFile(join(PROJECT, folder, name), 'utf8')));
    }
  }
  return titles;
}

async function testedIds(): Promise<Set<string>> {
  return new Set((await titlesOfTests()).flatMap(idsIn));
}

describe('the numbered requirements', () => {
  it('are each named by a test, or open with a reason', async () => {
    const named = await testedIds();
    for (const id of openIds(await readFile(join(PROJECT, 'docs/open-requirements.md'), 'utf8'))) named.add(id);
    expect(IDS.filter((id) => !named.has(id))).toEqual([]);
  });

  it('are named by no id that there is none of', async () => {
    const named = [
      ...(await testedIds()),
      ...openIds(await readFile(join(PROJECT, 'docs/open-requirements.md'), 'utf8')),
    ];
    const chapters = new Set(CHAPTERS.map(([chapter]) => chapter));
    expect(named.filter((id) => chapters.has(id.slice(0, 2)) && !IDS.includes(id))).toEqual([]);
  });

  it('each kind of known public fault is named by a test', async () => {
    const named = new Set((await titlesOfTests()).flatMap((title) => title.match(/\bR-\d{2}\b/g) ?? []));
    expect(FAULTS.filter((fault) => !named.has(fault))).toEqual([]);
    expect([...named].filter((fault) => !FAULTS.includes(fault))).toEqual([]);
  });

  it('are read from titles and from the first column alone', () => {
    const source = "// ZZ-1\nit('ZZ-2 a', () => {});\ntest.skipIf(a(b))(\n  `ZZ-3 ZZ-4`);\nconst it9 = 'ZZ-5';";
    expect(titlesIn(source).flatMap(idsIn)).toEqual(['ZZ-2', 'ZZ-3', 'ZZ-4']);
    expect(openIds('| ZZ-1, ZZ-2 | with ZZ-3 | |\nZZ-4\n')).toEqual(['ZZ-1', 'ZZ-2']);
  });

  it('that are open each give something that is missing or a state', async () => {
    const page = await readFile(join(PROJECT, 'docs/open-requirements.md'), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| [A-Z]{2}-\d/.test(line));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      expect(
        row
          .split('|')
          .map((cell) => cell.trim())
          .filter(Boolean),
      ).toHaveLength(3);
  });
});
