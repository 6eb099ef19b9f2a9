import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { digestText } from '../../core/digest.js';
import { InvalidInputErrors } from '../../core/errors.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { readJudgeLabels } from './judge-labels.js';

function fixture(id: string, questions: readonly string[]): Fixture {
  const labels = new Map(questions.map((question) => [question, { expected: ['blue'] }]));
  return { manifest: { id }, labels } as unknown as Fixture;
}

const FIXTURES = [fixture('mill', ['q1', 'q2', 'both']), fixture('pond', ['q3', 'both'])];

async function read(lines: readonly object[], text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'people.jsonl'), text);
  const labels = { path: 'people.jsonl', digest: digestText(text) };
  const loaded = { path: join(folder, 'm.yaml'), matrix: { judges: { kind: { labels }, other: { labels: null } } } };
  return readJudgeLabels(loaded as unknown as LoadedMatrix, FIXTURES);
}

const line = (question: string, answer: string, correct: boolean, by: string, more: object = {}) => ({
  question,
  answer,
  correct,
  by,
  ...more,
});

it('OB-7 more than half of the people decide; ties and labels of other expected answers are left out and counted', async () => {
  const byJudge = await read([
    line('q1', 'blue', true, 'Ann'),
    line('q1', 'blue', true, 'Ben'),
    line('q1', 'blue', false, 'Cem'),
    line('q1', 'navy', true, 'Ann', { expected: ['blue'] }),
    line('q2', 'red', true, 'Ann'),
    line('q2', 'red', false, 'Ben'),
    line('q2', 'green', true, 'Ann', { expected: ['green'] }),
    line('both', 'x', false, 'Ann', { fixture: 'pond' }),
  ]);
  expect([...byJudge.keys()]).toEqual(['kind']);
  expect(byJudge.get('kind')).toEqual({
    lines: 8,
    stale: 1,
    tied: 1,
    answers: [
      { fixture: 'mill', question: 'q1', answer: 'blue', correct: true },
      { fixture: 'mill', question: 'q1', answer: 'navy', correct: true },
      { fixture: 'pond', question: 'both', answer: 'x', correct: false },
    ],
  });
});

it('MX-2 every fault of the labels is refused, each with its line and column', async () => {
  const error = await read([
    line('q9', 'x', true, 'Ann'),
    line('both', 'x', true, 'Ann'),
    line('q1', 'x', true, 'Ann'),
    line('q1', 'x', false, 'Ann'),
    { ...line('q1', 'y', true, 'Ann'), note: 1 },
    { ...line('q1', 'z', true, 'Ann'), correct: 'yes' },
  ]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidInputErrors);
  const found = (error as InvalidInputErrors).errors.map(({ code, location }) => [code, location?.line]);
  expect(found.sort()).toEqual([
    ['DUPLICATE_LABEL', 4],
    ['LABEL_AMBIGUOUS', 2],
    ['LABEL_OF_NO_QUESTION', 1],
    ['UNKNOWN_KEY', 5],
    ['WRONG_VALUE', 6],
  ]);
  expect((error as InvalidInputErrors).errors.every(({ remedy, location }) => remedy && location?.column)).toBe(true);
});
