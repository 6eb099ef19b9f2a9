import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { digestText } from '../../core/digest.js';
import { InvalidInputErrors } from '../../core/errors.js';
import type { RankingRequest } from '../../memory/recall/ranker.js';
import { type CheckedFixture, OtherSystem } from './other-system.js';

const FIXTURE: CheckedFixture = {
  id: 'mill',
  questions: new Set(['q1', 'q2', 'q3']),
  selected: ['q1', 'q2'],
  turns: new Set(['t1', 't2', 't3', 't4']),
};

async function read(lines: readonly (object | string)[]): Promise<OtherSystem> {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const file = join(await temporaryFolder(), 'o.jsonl');
  await writeFile(file, text);
  return OtherSystem.read('o.jsonl', file, digestText(text));
}

/** Faults as `CODE at line`, of the lines alone or against fixtures. */
async function faults(
  lines: readonly (object | string)[],
  fixtures: readonly CheckedFixture[] = [FIXTURE],
): Promise<string[]> {
  const errors = await read(lines).then(
    (other) => other.faultsAgainst(fixtures),
    (error: unknown) => (error as InvalidInputErrors).errors,
  );
  for (const error of errors)
    expect(error).toMatchObject({ kind: 'invalid-input', remedy: expect.stringMatching(/./) });
  return errors.map(({ code, location }) => `${code} at ${location?.line ?? 'the file'}`);
}

const rest = { question: 'q2', abstained: true };

describe('RT-7 another system’s file', () => {
  it('RT-7 with one line for each question asked is sound; lines of others that the load leaves out are passed over', async () => {
    const ranking = [
      { turn: 't1', score: 2 },
      { turn: 't2', score: 2 },
      { turn: 't4', score: -1 },
    ];
    expect(
      await faults([
        { question: 'q1', ranking },
        { question: 'q2', answer: 'a' },
        { question: 'q3', failed: 'no' },
      ]),
    ).toEqual([]);
  });

  it.each([
    ['no JSON', ['{', rest], ['JSON_INVALID at 1']],
    ['an unknown key', [{ question: 'q1', answer: 'a', rank: 1 }, rest], ['UNKNOWN_KEY at 1']],
    [
      'a score that is no number',
      [{ question: 'q1', ranking: [{ turn: 't1', score: 'high' }] }, rest],
      ['WRONG_VALUE at 1'],
    ],
    ['nothing', [{ question: 'q1' }, rest], ['RANKING_LINE at 1']],
    ['an answer of a failure', [{ question: 'q1', failed: 'x', answer: 'a' }, rest], ['RANKING_LINE at 1']],
    ['an empty answer', [{ question: 'q1', answer: '' }, rest], ['RANKING_LINE at 1']],
    ['not abstaining, without an answer', [{ question: 'q1', abstained: false }, rest], ['RANKING_LINE at 1']],
    [
      'a score without millionths',
      [{ question: 'q1', ranking: [{ turn: 't1', score: Number.MAX_VALUE }] }, rest],
      ['WRONG_VALUE at 1'],
    ],
    ['a turn twice', [{ question: 'q1', ranking: [{ turn: 't1' }, { turn: 't1' }] }, rest], ['RANKING_LINE at 1']],
    [
      'scores for some',
      [{ question: 'q1', ranking: [{ turn: 't1', score: 1 }, { turn: 't2' }] }, rest],
      ['RANKING_LINE at 1'],
    ],
    [
      'scores that rise',
      [
        {
          question: 'q1',
          ranking: [
            { turn: 't1', score: 1 },
            { turn: 't2', score: 2 },
          ],
        },
        rest,
      ],
      ['RANKING_LINE at 1'],
    ],
    ['an unknown turn', [rest, { question: 'q1', ranking: [{ turn: 't9' }] }], ['RANKING_OF_NO_TURN at 2']],
    [
      'an unknown question',
      [rest, { question: 'q1', answer: 'a' }, { question: 'q9', answer: 'a' }],
      ['RANKING_OF_NO_QUESTION at 3'],
    ],
    ['two lines', [rest, { question: 'q1', answer: 'a' }, { question: 'q1', answer: 'b' }], ['RANKING_TWICE at 3']],
    ['a missing line', [rest], ['RANKING_MISSING at the file']],
  ])('RT-7 MX-2 refuses %s', async (_what, lines, expected) => {
    expect(await faults(lines)).toEqual(expected);
  });

  it('RT-7 a question of two fixtures needs its fixture named', async () => {
    const two = [
      FIXTURE,
      { ...FIXTURE, id: 'clinic', questions: new Set(['q1']), selected: ['q1'], turns: new Set(['t9']) },
    ];
    const named = [
      { question: 'q1', fixture: 'mill', answer: 'a' },
      { question: 'q1', fixture: 'clinic', ranking: [{ turn: 't9' }] },
    ];
    expect(await faults([rest, ...named], two)).toEqual([]);
    expect(await faults([rest, { question: 'q1', answer: 'a' }], two)).toEqual([
      'RANKING_AMBIGUOUS at 2',
      'RANKING_MISSING at the file',
      'RANKING_MISSING at the file',
    ]);
    const other = await read([rest, ...named]);
    expect(other.answerTo('mill', 'q1')?.answer).toBe('a');
    expect(other.answerTo('clinic', 'q1')).toBeNull();
  });

  it('RT-7 FX-7 what may not be recalled is passed over before the limit is reached; scores are quantised', async () => {
    const ranking = ['t4', 't3', 't2', 't1'].map((turn, place) => ({ turn, score: 1 / (place + 3) }));
    const ranker = (await read([rest, { question: 'q1', ranking }])).ranker('mill');
    const items = ['t1', 't2', 't3'].map((id) => ({ id }));
    const request = { question: { id: 'q1' }, limit: 2, items } as unknown as RankingRequest;
    expect(await ranker.rank(request, new AbortController().signal)).toEqual([
      { id: 't3', score: 0.25 },
      { id: 't2', score: 0.2 },
    ]);
  });

  it('RT-7 the reader is asked where there is a ranking alone', async () => {
    const other = await read([{ question: 'q1', ranking: [] }, rest, { question: 'q3', failed: 'no' }]);
    expect(['q1', 'q2', 'q3'].map((question) => other.asksReader('mill', question))).toEqual([true, false, false]);
  });

  it('MX-7 a file that was replaced since the matrix was loaded is refused', async () => {
    const file = join(await temporaryFolder(), 'o.jsonl');
    await writeFile(file, `${JSON.stringify(rest)}\n`);
    await expect(OtherSystem.read('o.jsonl', file, digestText('else'))).rejects.toBeInstanceOf(InvalidInputErrors);
  });
});
