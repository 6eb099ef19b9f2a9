import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MatrixParts, writeFixture, writeMatrix } from '../../../test/support/cli-priced.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { InvalidInputErrors } from '../../core/errors.js';
import { planRun } from '../planning/plan-run.js';

const QUESTIONS = ['q1', 'q2', 'q3', 'q4'].map((id) => `small/${id}`);

/** What a plan says of an arm that is another system's file: the codes of its refusals. */
async function refused(lines: readonly object[], arm: object): Promise<string[]> {
  const folder = await temporaryFolder();
  await writeFixture(folder, 'small');
  await writeFile(join(folder, 'theirs.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const theirs = { name: 'theirs', retrieval: { strategy: 'file', path: 'theirs.jsonl' }, ...arm };
  const parts: MatrixParts = { url: 'http://127.0.0.1:9', fixtures: ['./small'], arms: [theirs] };
  return planRun(await writeMatrix(folder, parts), {}).then(
    () => [],
    (error: unknown) => (error as InvalidInputErrors).errors.map(({ code, message }) => `${code}: ${message}`),
  );
}

describe('an arm that is another system’s file, and lessons', () => {
  const INJECT = { context: { lessons: 'inject' } };
  const answers = QUESTIONS.map((question) => ({ question, answer: 'a' }));
  const rankings = QUESTIONS.map((question) => ({ question, ranking: [] }));

  it('LE-6 RT-7 answers that another system gave were given without lessons: to inject any is refused', async () => {
    const said = [expect.stringMatching(/^LESSONS_BESIDE_ANSWERS: the arm theirs .* small\/q1/)];
    expect(await refused(answers, INJECT)).toEqual(said);
    expect(await refused([...rankings.slice(1), ...answers.slice(0, 1)], INJECT)).toEqual(said);
  });

  it('LE-6 RT-7 its rankings are read by the matrix’s own reader, which may be shown lessons', async () => {
    expect(await refused(rankings, INJECT)).toEqual([]);
    expect(await refused(answers, {})).toEqual([]);
  });
});
