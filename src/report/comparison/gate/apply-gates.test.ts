import { describe, expect, it } from 'vitest';
import { rowsOf, sampleComparison, sampleContrast } from '../../../../test/support/comparison-samples.js';
import { criticalT } from '../../statistics/statistics.js';
import type { ContrastResult, GateResult } from '../comparison.js';
import { applyGates, type GateOptions } from './apply-gates.js';
import { parseCondition } from './condition.js';

const FALLEN = [
  [-0.3, -0.2, -0.25],
  [-0.28, -0.22, -0.3],
  [-0.31, -0.19, -0.27],
  [-0.2, -0.24, -0.29],
];
const QUIET = [
  [0.01, -0.02, 0.015],
  [-0.01, 0.02, 0],
  [0.005, -0.015, 0.01],
  [0.02, -0.005, -0.02],
];
const NOISY = [
  [-0.6, 0.5, -0.2],
  [0.4, -0.5, 0.1],
  [-0.3, 0.2, 0.6],
  [0.3, -0.4, -0.5],
];

type Asked = Partial<Omit<GateOptions, 'conditions'>> & { readonly conditions?: readonly string[] };

function gated(contrasts: readonly ContrastResult[], asked: Asked = {}) {
  const { conditions = ['token-f1 < -0.02'], ...rest } = asked;
  return applyGates(sampleComparison(contrasts), {
    scope: 'new-conversations',
    max_lost_share: 0.05,
    ...rest,
    conditions: conditions.map(parseCondition),
  });
}

/** The result of one gate over one contrast. */
function one(contrast: ContrastResult, asked: Asked = {}): GateResult {
  const { gates } = gated([contrast], asked);
  expect(gates).toHaveLength(1);
  return gates[0] as GateResult;
}

describe('RP-4 the gate', () => {
  it('RP-4 a fall that the upper bound shows is a regression, and says what was held against what', () => {
    const comparison = gated([sampleContrast(FALLEN)]);
    expect(comparison.gate).toBe('regression');
    const [gate] = comparison.gates;
    expect(gate).toMatchObject({ outcome: 'regression', tests: 'bound', scope: 'new-conversations', threshold: -0.02 });
    expect(gate?.sentence).toContain('one-sided, 95 %, new conversations');
    expect(gate?.sentence).toContain('lies below -0.02');
  });

  it('RP-4 the bound is one-sided: of confidence 1 - alpha, not that of the two-sided interval', () => {
    const contrast = sampleContrast(FALLEN);
    const found = contrast.new_conversations;
    if (found.kind !== 'estimated') throw new Error(found.kind);
    // Of three degrees of freedom the table of Student's t has 2.353 at a one-sided 0.05.
    expect(criticalT(0.1, 3)).toBeCloseTo(2.3534, 4);
    expect(one(contrast).value).toBeCloseTo(found.estimate + 2.3534 * found.standard_error, 5);
    expect(one(contrast, { conditions: ['token-f1 > 0.02'] }).value).toBeCloseTo(
      found.estimate - 2.3534 * found.standard_error,
      5,
    );
  });

  it('RP-4 noise is neither a regression nor within the margin', () => {
    expect(one(sampleContrast(NOISY))).toMatchObject({ outcome: 'no-regression-shown' });
    expect(gated([sampleContrast(NOISY)]).gate).toBe('passed');
  });

  it('RP-4 within the margin is said only where the other bound shows it too', () => {
    expect(one(sampleContrast(QUIET))).toMatchObject({ outcome: 'within-margin' });
    expect(one(sampleContrast(QUIET)).sentence).toMatch(
      /^token-f1 of bm25: within the margin, shown not to fall by more than 0\.02: the lower bound of head - base is -0\.0\d{3} \(one-sided, 95 %, new conversations\)\.$/,
    );
  });

  it('RP-4 of a clear improvement it says how much is kept, by the bound that shows it', () => {
    const risen = sampleContrast(FALLEN.map((list) => list.map((value) => -value)));
    const sentence = (condition: string) => one(risen, { conditions: [condition] }).sentence;
    expect(sentence('token-f1 < -0.02')).toMatch(
      /shown not to fall by more than 0\.02: the lower bound of head - base is \+0\.2/,
    );
    expect(sentence('token-f1 < 0')).toContain('shown not to fall: the lower bound');
    expect(sentence('token-f1 < 0.1')).toContain('shown to rise by 0.1 or more: the lower bound');
    expect(sentence('token-f1 > 0.5')).toMatch(/shown not to rise by more than 0\.5: the upper bound .* is \+0\.2/);
  });

  it('RP-4 an estimate is held against the threshold only where it is asked for, and says so', () => {
    const slightly = sampleContrast(NOISY.map((list) => list.map((value) => value - 0.1)));
    expect(one(slightly).outcome).toBe('no-regression-shown');
    const gate = one(slightly, { conditions: ['token-f1 estimate < -0.02'] });
    expect(gate).toMatchObject({ outcome: 'regression', tests: 'estimate' });
    expect(gate.sentence).toContain('the estimate -0.');
  });

  it('RP-4 alpha is shared out over all bounds: gates, arms and datasets', () => {
    const contrast = sampleContrast(FALLEN);
    const two = gated([contrast, { ...contrast, head_arm: 'semantic', base_arm: 'semantic' }], {
      conditions: ['token-f1 < -0.02', 'token-f1 estimate < -0.5'],
    });
    expect(two.gates).toHaveLength(4);
    expect(two.gates[0]?.sentence).toContain('one-sided, 97.5 %');
    expect(two.gates[0]?.value).toBeGreaterThan(one(contrast).value as number);
  });

  it('RP-4 with more lost rows than is stated a night is invalid: neither pass nor regression, whatever the rest says', () => {
    const rows = { base: rowsOf(12), head: rowsOf(12, { lost: 1 }) };
    const lost = sampleContrast(FALLEN, { rows });
    expect(one(lost)).toMatchObject({ outcome: 'invalid', value: null });
    expect(one(lost).sentence).toContain(
      '1 of 12 rows of head were lost (to the provider or budget), never made or not judged: more than 5 %',
    );
    expect(gated([lost, sampleContrast(FALLEN, { head_arm: 'other', base_arm: 'other' })]).gate).toBe('invalid');
    expect(one(lost, { max_lost_share: 0.1 }).outcome).toBe('regression');
    expect(one(sampleContrast(QUIET, { rows: { base: rows.head, head: rows.base } })).outcome).toBe('invalid');
  });

  it('RP-4 questions of which a night has no row at all are missed like lost ones', () => {
    const gone = sampleContrast(FALLEN, { only_base: 3, rows: { base: rowsOf(15), head: rowsOf(12) } });
    expect(one(gone).outcome).toBe('invalid');
    const none = sampleContrast([], { only_base: 12, rows: { base: rowsOf(12), head: rowsOf(0) } });
    expect(one(none).outcome).toBe('invalid');
    const nothing = sampleContrast([], { rows: { base: rowsOf(0), head: rowsOf(0) } });
    expect(gated([nothing]).gate).toBe('invalid');
  });

  it('RP-4 a gate that can never fail is untestable, and names no pass', () => {
    const alone = sampleContrast([[-0.5, -0.4, -0.6]]);
    expect(one(alone)).toMatchObject({ outcome: 'untestable', value: null });
    expect(gated([alone]).gate).toBe('untestable');
    expect(one(alone, { scope: 'these-conversations' }).outcome).toBe('regression');
    expect(one(alone, { conditions: ['token-f1 estimate < -0.02'] }).outcome).toBe('regression');
  });

  it('RP-4 two conversations with the same mean by chance make no night untestable: what each question does says whether it fell', () => {
    const chance = sampleContrast([
      [-1, 0, 0, 0, 0, 0],
      [0, 0, -1, 0, 0, 0],
    ]);
    expect(chance.new_conversations.kind).toBe('no_variance');
    expect(one(chance)).toMatchObject({ outcome: 'no-regression-shown' });
    // A fall that the questions do show is not passed for want of a bound.
    const fell = sampleContrast([
      [-1, -1, -1, -1, -1, 0],
      [-1, 0, -1, -1, -1, -1],
    ]);
    expect(one(fell)).toMatchObject({ outcome: 'untestable' });
    expect(one(sampleContrast([[-1], [-1]]))).toMatchObject({ outcome: 'untestable' });
  });

  it('RP-4 two conversations that fall alike by chance are no regression: the noise of their questions speaks too', () => {
    const alike = sampleContrast([
      [-0.9, 0.5, -0.1, -0.3],
      [0.6, -0.8, -0.41, -0.2],
    ]);
    const found = alike.new_conversations;
    // Alone, the two means would be certain of it.
    expect(found.kind === 'estimated' && found.hi < -0.1).toBe(true);
    expect(one(alike)).toMatchObject({ outcome: 'no-regression-shown' });
    expect(one(alike).sentence).toContain('that of these conversations: the noise of their questions');
    expect(one(alike).value).toBeGreaterThan(0);
  });

  it('RP-4 where every conversation falls by the same, so that no error is told, their number decides', () => {
    const equal = (count: number) => sampleContrast(Array.from({ length: count }, () => [-0.5, -0.5]));
    expect(one(equal(5))).toMatchObject({ outcome: 'regression', value: -0.5 });
    expect(one(equal(5)).sentence).toContain(
      'every one of 5 conversations differs by the same, which chance would do with p 0.031',
    );
    // 1/16 is more than 0.05: chance alone could have done it.
    expect(one(equal(4)).outcome).toBe('untestable');
    expect(one(equal(4), { scope: 'these-conversations' }).outcome).toBe('regression');
  });

  it('RP-4 nights that answer alike, to the letter, pass', () => {
    const same = (count: number) => sampleContrast(Array.from({ length: count }, () => [0, 0, 0]));
    expect(gated([same(2)]).gate).toBe('passed');
    expect(one(same(2)).outcome).toBe('no-regression-shown');
    expect(one(same(8)).outcome).toBe('within-margin');
    expect(one(same(8)).sentence).toContain(
      'shown not to fall by more than 0.02: the difference is 0.0000 (no question differs).',
    );
    // With no margin, a difference of nothing is no fall.
    expect(one(same(8), { conditions: ['token-f1 < 0'] }).outcome).toBe('within-margin');
  });

  it('RP-4 OB-4 failures of an arm’s own making count as 0, and are named where they alone make the regression', () => {
    const quiet = sampleContrast(QUIET);
    const failing = sampleContrast(FALLEN, {
      rows: { base: rowsOf(12), head: rowsOf(12, { failed: 5 }) },
      without_failures: quiet.without_failures,
    });
    expect(one(failing).outcome).toBe('regression');
    expect(one(failing).sentence).toContain('0 of 12 rows of base and 5 of 12 of head failed');
    const these = { scope: 'these-conversations' } as const;
    expect(one(failing, these).sentence).toContain('5 of 12 of head failed');
  });

  it('RP-4 OB-4 failures of base that hide a fall leave no verdict', () => {
    const fallen = sampleContrast(FALLEN);
    const hidden = sampleContrast(QUIET, {
      rows: { base: rowsOf(12, { failed: 5 }), head: rowsOf(12) },
      without_failures: fallen.without_failures,
    });
    expect(one(hidden).outcome).toBe('invalid');
    expect(one(hidden, { scope: 'these-conversations' }).outcome).toBe('invalid');
    expect(one(hidden).sentence).toContain('no verdict is given');
  });

  it('RP-4 an arm to whose rows a scorer does not apply is not gated, and a note says so', () => {
    const not = sampleContrast([], {
      head_arm: 'none',
      base_arm: 'none',
      rows: { base: rowsOf(12), head: rowsOf(12) },
    });
    const comparison = gated([not, sampleContrast(QUIET)]);
    expect(comparison.gates).toHaveLength(1);
    expect(comparison.gates[0]?.sentence).toContain('95 %');
    expect(comparison.notes).toEqual([
      'token-f1 applies to no question of none (made-up): "token-f1 < -0.02" is not asked of it.',
    ]);
    expect(comparison.gate).toBe('passed');
    expect(gated([not]).gate).toBe('untestable');
  });

  it('RP-4 sides that are not measured alike are untestable, unless that was what was meant to differ', () => {
    const factor = { factor: 'labels', fixture: 'c1', arm: null, base: 'one', head: 'other', is_treatment: false };
    const asked = {
      conditions: [parseCondition('token-f1 < -0.02')],
      scope: 'new-conversations',
      max_lost_share: 0.05,
    } as const;
    const of = (is_treatment: boolean) =>
      applyGates(sampleComparison([sampleContrast(FALLEN)], { factors: [{ ...factor, is_treatment }] }), asked);
    expect(of(false).gate).toBe('untestable');
    expect(of(false).gates[0]?.sentence).toContain('not measured alike (labels differ)');
    expect(of(true).gate).toBe('regression');
    const program = { ...factor, factor: 'program' };
    expect(applyGates(sampleComparison([sampleContrast(FALLEN)], { factors: [program] }), asked).gate).toBe(
      'regression',
    );
  });

  it('RP-4 refuses a scorer that is not compared, and names those that are', () => {
    expect(() => gated([sampleContrast(QUIET)], { conditions: ['exact-match < 0'] })).toThrow(
      expect.objectContaining({ code: 'GATE_SCORER_UNKNOWN', remedy: 'name one of: token-f1' }),
    );
  });

  it('RP-4 without a condition there is no gate', () => {
    expect(gated([sampleContrast(FALLEN)], { conditions: [] })).toMatchObject({ gate: 'none', gates: [] });
  });
});
