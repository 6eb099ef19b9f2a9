import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliResult, type CommandOptions, command } from './cli.js';
import { keptFolder } from './kept-folder.js';
import { temporaryFolder } from './temporary-folder.js';

/** A matrix of two arms over one made-up fixture of two sessions and a correction: three formation calls, three questions. */
export const SMALL_MATRIX = `version: 1
name: small
budget_usd: "0.50"
fixtures: [fixtures/mill]
formation:
  formation_bank_directory: banks
  bank: record-if-missing
  persistence: supersede
  profile: { provider: local, model: extractive-facts-1 }
reader: { provider: local, model: extractive-reader-1 }
providers:
  local: { kind: local }
arms:
  - { name: none, retrieval: { strategy: none } }
  - { name: bm25, retrieval: { strategy: bm25, limit: 5 } }
baseline: bm25
scoring: [token-f1, exact-match]
`;

/** The formation calls of the small fixture: two sessions and a correction. */
export const SMALL_CALLS = 3;

/** A folder with a matrix and its fixtures. */
export interface Small {
  readonly folder: string;
  readonly matrix: string;
  readonly fixture: string;
  readonly banks: string;
  readonly runs: string;
  /** Runs a verb on the matrix, in the folder. */
  run(verb: string, flags?: readonly string[], options?: CommandOptions): Promise<CliResult>;
}

/** Writes the small matrix into a folder of the test's own. */
export async function writeSmall(matrix: string = SMALL_MATRIX): Promise<Small> {
  const folder = await temporaryFolder();
  await fill(folder, matrix);
  return smallIn(folder);
}

async function fill(folder: string, matrix: string): Promise<void> {
  await writeFixture(join(folder, 'fixtures'), 'mill');
  await writeFile(join(folder, 'm.yaml'), matrix);
}

/** A small folder that outlives the test that makes it; whoever makes it removes it. */
export async function keptSmall(): Promise<{ readonly small: Small; remove(): Promise<void> }> {
  const { path, remove } = await keptFolder();
  await fill(path, SMALL_MATRIX);
  return { small: smallIn(path), remove };
}

/** A copy of a small folder, with its banks. */
export async function copySmall(small: Small, matrix: string = SMALL_MATRIX): Promise<Small> {
  const folder = await temporaryFolder();
  for (const name of ['fixtures', 'banks']) await cp(join(small.folder, name), join(folder, name), { recursive: true });
  await writeFile(join(folder, 'm.yaml'), matrix);
  return smallIn(folder);
}

function smallIn(folder: string): Small {
  const matrix = join(folder, 'm.yaml');
  return {
    folder,
    matrix,
    fixture: join(folder, 'fixtures', 'mill'),
    banks: join(folder, 'banks'),
    runs: join(folder, 'runs'),
    run: (verb, flags = [], options = {}) => {
      const out = verb === 'run' || verb === 'record' ? ['--out', 'runs'] : [];
      return command([verb, 'm.yaml', ...out, ...flags], { cwd: folder, ...options });
    },
  };
}

/** The lines of the small history. */
export function smallHistory(): string[] {
  const turn = (id: string, session: string, at: string, speaker: string, text: string): string =>
    JSON.stringify({ kind: 'turn', id, session, at, speaker, text, sensitivity: 'internal' });
  return [
    turn('a:1', 's1', '2024-01-02T10:00:00', 'Ilse', 'I work at the old mill by the river.'),
    turn('a:2', 's1', '2024-01-02T10:01:00', 'Marek', 'My sister Wanda repairs church organs in Leeds.'),
    turn('b:1', 's2', '2024-02-03T18:30:00', 'Ilse', 'I bought a green canoe yesterday.'),
    turn('b:2', 's2', '2024-02-03T18:31:00', 'Marek', 'Wanda has moved to Antwerp.'),
    JSON.stringify({
      kind: 'correction',
      id: 'c:1',
      of: 'b:1',
      at: '2024-02-04T08:00:00',
      text: 'I bought a yellow canoe yesterday.',
    }),
  ];
}

/** Writes the small fixture, or one of its form, under an id of its own. */
export async function writeFixture(
  parent: string,
  id: string,
  history: readonly string[] = smallHistory(),
): Promise<void> {
  const folder = join(parent, id);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'fixture.yaml'), manifest(id));
  await writeFile(join(folder, 'history.jsonl'), history.map((line) => `${line}\n`).join(''));
  await writeFile(join(folder, 'questions.jsonl'), questions(id));
}

function manifest(id: string): string {
  return `format: fixture@1
id: ${id}
title: Two friends and a canoe
owner: { tenant: tests, principal: ${id} }
source: Made up for a test.
licence: CC0-1.0
review: { status: unreviewed, by: null, at: null }
`;
}

function questions(id: string): string {
  const ask = (n: number, question: string, subjects: string[], answerable: boolean, evidence: string[]): string =>
    JSON.stringify({
      id: `${id}/q${n}`,
      question,
      asked_at: '2024-03-01T09:00:00',
      subjects,
      category: answerable ? 'single-hop' : 'adversarial',
      answerable,
      expected: answerable ? [n === 1 ? 'yellow' : 'Antwerp'] : [],
      evidence,
    });
  return [
    ask(1, 'What colour is the canoe of Ilse?', ['Ilse'], true, ['b:1']),
    ask(2, 'Where does Wanda live now?', [], true, ['b:2']),
    ask(3, 'What is the name of the dog of Marek?', ['Marek'], false, []),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** The names in a folder; none where it is not there. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Replaces a text that must stand there. */
export async function editFile(path: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const edited = text.replace(from, to);
  if (edited === text) throw new Error(`${path} has no ${from}`);
  await writeFile(path, edited);
}
