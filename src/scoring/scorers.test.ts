import { describe, expect, test } from 'vitest';
import { InvalidInputErrors } from '../core/errors.js';
import type { Label } from '../fixture/label.js';
import { normaliseAnswer } from './normalise.js';
import { scorersFor } from './scorers.js';
import { parseScorerName, SCORER_NAMES, type ScoredRow, type Scorer } from './scoring.js';

const label = (parts: Partial<Label>): Label => ({
  question_id: 'q1',
  category: 'single-hop',
  answerable: true,
  expected: ['blue'],
  evidence: [],
  ...parts,
});

const row = (labelParts: Partial<Label>, answer: string, rest: Partial<ScoredRow> = {}): ScoredRow => ({
  label: label(labelParts),
  answer,
  abstained: false,
  ranked_sources: null,
  ...rest,
});

const scorer = (name: string): Scorer => scorersFor([name])[0] as Scorer;

test('OB-6 normalisation drops commas, articles, punctuation and case, and keeps other words whole', () => {
  expect(normaliseAnswer('The Cat, and a DOG!')).toBe('cat dog');
  expect(normaliseAnswer("Melanie's well-kept 1,430 pounds.")).toBe('melanies wellkept 1430 pounds');
  expect(normaliseAnswer('andante théâ a')).toBe('andante théâ');
});

describe('OB-6 token-f1', () => {
  const f1 = scorer('token-f1');

  test('counts stems with repeats: 2 of 3 words right, 2 of 2 found', () => {
    // answer {paint, sunris, yesterday}, expected {paint, sunris}: precision 2/3, recall 1, F1 0.8
    expect(f1.score(row({ expected: ['painted sunrises'] }, 'painting a sunrise yesterday'))).toBeCloseTo(0.8, 12);
    // a word said twice counts once against one: precision 1/2, recall 1
    expect(f1.score(row({ expected: ['blue'] }, 'blue blue'))).toBeCloseTo(2 / 3, 12);
    // and one said once is not found twice: precision 1, recall 1/2
    expect(f1.score(row({ expected: ['blue blue'] }, 'blue'))).toBeCloseTo(2 / 3, 12);
  });

  test('takes the best of the alternatives', () => {
    expect(f1.score(row({ expected: ['green', 'navy blue'] }, 'navy blue'))).toBe(1);
  });

  test('multi-hop averages, over the expected parts, the best part of the answer', () => {
    // pottery: 1; camping: 0; swimming ~ "swim in lake": precision 1/3, recall 1 → 0.5; mean 0.5
    const multi = row({ category: 'multi-hop', expected: ['pottery, camping, swimming'] }, 'swim in lake, pottery');
    expect(f1.score(multi)).toBeCloseTo(0.5, 12);
    // the same texts whole: shared {potteri, swim}: precision 2/4, recall 2/3 → 4/7
    expect(f1.score({ ...multi, label: { ...multi.label, category: 'temporal' } })).toBeCloseTo(4 / 7, 12);
  });

  test('open-domain compares with what stands before the first semicolon, other categories with all of it', () => {
    const expected = ['likely no; she wants a shop'];
    expect(f1.score(row({ category: 'open-domain', expected }, 'Likely no'))).toBe(1);
    // shared 2; precision 1, recall 2/5 ("a" is dropped) → 4/7
    expect(f1.score(row({ category: 'single-hop', expected }, 'Likely no'))).toBeCloseTo(4 / 7, 12);
  });

  test('a category of a fixture of one’s own is scored as plain F1', () => {
    expect(f1.score(row({ category: 'knowledge-update', expected: ['Oslo'] }, 'oslo'))).toBe(1);
  });

  test('unanswerable: 1 for an abstention or its words, 0 for an answer', () => {
    const unanswerable = { category: 'adversarial', answerable: false, expected: [] };
    expect(f1.score(row(unanswerable, '', { abstained: true }))).toBe(1);
    expect(f1.score(row(unanswerable, 'Not mentioned in the conversation'))).toBe(1);
    expect(f1.score(row(unanswerable, 'No information available.'))).toBe(1);
    expect(f1.score(row(unanswerable, 'A bowl'))).toBe(0);
  });

  test('answerable: an abstention scores 0, also with the right words', () => {
    expect(f1.score(row({}, 'blue', { abstained: true }))).toBe(0);
    expect(f1.score(row({}, 'blue'))).toBe(1);
  });

  test('an adversarial question that has an answer is scored by it', () => {
    const both = { category: 'adversarial', expected: ['No'] };
    expect(f1.score(row(both, 'no'))).toBe(1);
    expect(f1.score(row(both, 'not mentioned'))).toBe(0);
  });
});

describe('OB-6 exact-match and contains', () => {
  test('equal after normalisation, or held as whole words', () => {
    expect(scorer('exact-match').score(row({ expected: ['The Navy blue'] }, 'navy, blue.'))).toBe(1);
    expect(scorer('exact-match').score(row({ expected: ['blue'] }, 'navy blue'))).toBe(0);
    expect(scorer('contains').score(row({ expected: ['blue'] }, 'navy blue'))).toBe(1);
    expect(scorer('contains').score(row({ expected: ['10'] }, 'in 2010'))).toBe(0);
    expect(scorer('contains').score(row({ expected: ['navy blue'] }, 'blue navy'))).toBe(0);
  });

  test.each(['exact-match', 'contains'])('%s follows abstention', (name) => {
    expect(scorer(name).score(row({ answerable: false, expected: [] }, 'x', { abstained: true }))).toBe(1);
    expect(scorer(name).score(row({ answerable: false, expected: [] }, 'x'))).toBe(0);
    expect(scorer(name).score(row({}, 'blue', { abstained: true }))).toBe(0);
  });
});

describe('OB-6 evidence recall', () => {
  const ranked = ['D1:1', 'D1:2', 'D1:3', 'D1:4'].map((turn, index) => ({
    turn,
    rank: index + 1,
    tokens: 300 * (index + 1),
  }));

  test('the share of the evidence up to rank k; coverage has no bound', () => {
    const found = row({ evidence: ['D1:2', 'D1:4', 'D9:9'] }, '', { ranked_sources: ranked });
    expect(scorer('evidence-recall@1').score(found)).toBe(0);
    expect(scorer('evidence-recall@2').score(found)).toBeCloseTo(1 / 3, 12);
    expect(scorer('evidence-recall@4').score(found)).toBeCloseTo(2 / 3, 12);
    expect(scorer('coverage').score(found)).toBeCloseTo(2 / 3, 12);
  });

  test('RT-4 recall at a token budget counts the items whose lines fit it together', () => {
    const found = row({ evidence: ['D1:2', 'D1:4'] }, '', { ranked_sources: ranked });
    expect(scorer('evidence-recall@599-tokens').score(found)).toBe(0);
    expect(scorer('evidence-recall@600-tokens').score(found)).toBe(0.5);
    expect(scorer('evidence-recall@1200-tokens').score(found)).toBe(1);
    expect(scorer('evidence-recall@500-tokens').score(row({ evidence: ['D1:2'] }, ''))).toBeNull();
  });

  test('bounds by the rank of the item, not by the place of its source', () => {
    // One belief of rank 1 rests on three turns; the next item has rank 2.
    const sources = [
      { turn: 'a', rank: 1, tokens: 40 },
      { turn: 'b', rank: 1, tokens: 40 },
      { turn: 'c', rank: 1, tokens: 40 },
      { turn: 'd', rank: 2, tokens: 90 },
    ];
    expect(scorer('evidence-recall@1').score(row({ evidence: ['c', 'd'] }, '', { ranked_sources: sources }))).toBe(0.5);
  });

  test('n/a where nothing is ranked or there is no evidence; an empty ranking scores 0', () => {
    for (const name of ['evidence-recall@5', 'coverage']) {
      expect(scorer(name).score(row({ evidence: ['D1:1'] }, ''))).toBeNull();
      expect(scorer(name).score(row({ evidence: [] }, '', { ranked_sources: ranked }))).toBeNull();
      expect(scorer(name).score(row({ evidence: ['D1:1'] }, '', { ranked_sources: [] }))).toBe(0);
    }
  });
});

test('OB-6 abstention, and its two sides', () => {
  const answered = row({}, 'blue');
  const wronglyDeclined = row({}, '', { abstained: true });
  const rightlyDeclined = row({ answerable: false, expected: [] }, '', { abstained: true });
  const madeUp = row({ answerable: false, expected: [] }, 'red');
  const rows = [answered, wronglyDeclined, rightlyDeclined, madeUp];
  expect(rows.map(scorer('abstention').score)).toEqual([1, 0, 1, 0]);
  expect(rows.map(scorer('right-abstention').score)).toEqual([null, null, 1, 0]);
  expect(rows.map(scorer('false-abstention').score)).toEqual([0, 1, null, null]);
});

describe('OB-6 names of scorers', () => {
  test('every known name makes the scorer of that name, in the order asked', () => {
    const names = SCORER_NAMES.map((name) => name.replace('@K', '@7'));
    expect(scorersFor(names).map((made) => made.name)).toEqual(names);
    expect(scorersFor(['coverage', 'evidence-recall@10', 'token-f1']).map((made) => made.name)).toEqual([
      'coverage',
      'evidence-recall@10',
      'token-f1',
    ]);
  });

  test.each([
    'f1',
    'evidence-recall',
    'evidence-recall@0',
    'evidence-recall@1001',
    'evidence-recall@05',
    'coverage@3',
    'evidence-recall@K',
  ])('%s is no scorer', (name) => {
    expect(parseScorerName(name)).toBeNull();
  });

  test('all unknown and repeated names are reported together, with the known ones', () => {
    const caught = catchError(() => scorersFor(['f1', 'token-f1', 'token-f1', 'bleu']));
    expect(caught).toBeInstanceOf(InvalidInputErrors);
    const { errors } = caught as InvalidInputErrors;
    expect(errors.map((error) => error.code)).toEqual(['UNKNOWN_SCORER', 'SCORER_TWICE', 'UNKNOWN_SCORER']);
    expect(errors[0]?.remedy).toContain('evidence-recall@K');
  });
});

function catchError(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
