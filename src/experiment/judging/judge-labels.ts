import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { digestText } from '../../core/digest.js';
import type { SourceLocation } from '../../core/errors.js';
import { Faults } from '../../fixture/faults.js';
import { idField, nameField, textField } from '../../fixture/field-schemas.js';
import type { FixtureOutline } from '../../fixture/fixture.js';
import { type JsonLine, parseJsonLines } from '../../fixture/json-lines.js';
import { pathInMatrix } from '../../matrix/load-matrix.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';

const lineSchema = z.strictObject({
  fixture: z.string().optional(),
  question: idField,
  expected: z.array(textField).optional(),
  answer: textField,
  correct: z.boolean(),
  by: nameField,
});
type LabelLine = z.output<typeof lineSchema>;

/** An answer that people judged. */
export interface LabelledAnswer {
  readonly fixture: string;
  readonly question: string;
  readonly answer: string;
  /** What more than half of them hold. */
  readonly correct: boolean;
}

/** People's verdicts, as a judge is compared with them (docs/formats/judge-labels.md). */
export interface JudgeLabels {
  readonly lines: number;
  /** Lines whose `expected` is no longer what the fixture expects: their person judged against something else. */
  readonly stale: number;
  /** Answers on which as many people say one thing as the other. */
  readonly tied: number;
  readonly answers: readonly LabelledAnswer[];
}

/**
 * Reads the labels of every judge that has some, and finds their questions.
 *
 * @throws {InvalidInputErrors} every fault, with its line.
 */
export async function readJudgeLabels(
  loaded: LoadedMatrix,
  fixtures: readonly FixtureOutline[],
): Promise<ReadonlyMap<string, JudgeLabels>> {
  const faults = new Faults();
  const byJudge = new Map<string, JudgeLabels>();
  for (const [judge, { labels }] of Object.entries(loaded.matrix.judges)) {
    if (labels === null) continue;
    const file = pathInMatrix(loaded, labels.path);
    const text = await readFile(file, 'utf8');
    if (digestText(text) !== labels.digest)
      faults.add('LABELS_CHANGED', `${labels.path} is not what the matrix is bound to`, { file }, 'restore it');
    byJudge.set(
      judge,
      gathered(file, parseJsonLines(file, text, lineSchema, faults, 'docs/formats/judge-labels.md'), fixtures, faults),
    );
  }
  faults.throwIfAny();
  return byJudge;
}

function gathered(
  file: string,
  lines: readonly JsonLine<LabelLine>[],
  fixtures: readonly FixtureOutline[],
  faults: Faults,
): JudgeLabels {
  const votes = new Map<string, { answer: Omit<LabelledAnswer, 'correct'>; by: Map<string, boolean> }>();
  let stale = 0;
  for (const line of lines) {
    const at = (key: string): SourceLocation => ({ file, line: line.line, column: line.columnOf(key) });
    const fixture = fixtureOf(line.value, fixtures, at('question'), faults);
    if (fixture === null) continue;
    const { question, answer, correct, by, expected } = line.value;
    if (expected !== undefined && !sameTexts(expected, fixture.labels.get(question)?.expected ?? [])) {
      stale += 1;
      continue;
    }
    const key = JSON.stringify([fixture.manifest.id, question, answer]);
    const known = votes.get(key) ?? { answer: { fixture: fixture.manifest.id, question, answer }, by: new Map() };
    if (known.by.has(by))
      faults.add('DUPLICATE_LABEL', `${by} judged this answer to ${question} before`, at('by'), 'keep one');
    known.by.set(by, correct);
    votes.set(key, known);
  }
  const decided = [...votes.values()].map(({ answer, by }) => ({ answer, balance: balanceOf([...by.values()]) }));
  return {
    lines: lines.length,
    stale,
    tied: decided.filter(({ balance }) => balance === 0).length,
    answers: decided.flatMap(({ answer, balance }) => (balance === 0 ? [] : [{ ...answer, correct: balance > 0 }])),
  };
}

function fixtureOf(
  line: LabelLine,
  fixtures: readonly FixtureOutline[],
  at: SourceLocation,
  faults: Faults,
): FixtureOutline | null {
  const holding = fixtures.filter(
    (fixture) =>
      (line.fixture === undefined || fixture.manifest.id === line.fixture) && fixture.labels.has(line.question),
  );
  if (holding.length === 1) return holding[0] as FixtureOutline;
  if (holding.length === 0)
    faults.add('LABEL_OF_NO_QUESTION', `no fixture of the matrix has the question ${line.question}`, at, 'remove it');
  else
    faults.add(
      'LABEL_AMBIGUOUS',
      `${line.question} is a question of ${holding.map(({ manifest }) => manifest.id).join(' and ')}`,
      at,
      'say which with `fixture`',
    );
  return null;
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

/** Above 0 where more hold it to be correct. */
function balanceOf(votes: readonly boolean[]): number {
  return votes.reduce((sum, correct) => sum + (correct ? 1 : -1), 0);
}
