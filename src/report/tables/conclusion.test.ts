import { describe, expect, it } from 'vitest';
import { SAMPLE_DIGEST } from '../../../test/support/observation-samples.js';
import { arm, formation, run } from '../../../test/support/run-results.js';
import type { RunResult } from '../../experiment/experiment.js';
import type { Verdict } from '../comparison/comparison.js';
import { conclusion, type PlannedContrast } from './conclusion.js';

const contrast = (head_arm: string, base_arm: string, kind: Verdict['kind']): PlannedContrast => ({
  head_arm,
  base_arm,
  verdict: { kind, sentence: '', basis: [] },
});
/** With nothing to doubt. */
const sound = (changes: Partial<RunResult> = {}): RunResult =>
  run([arm('none'), arm('bm25')], { replicates: 2, formation: [{ ...formation, review: 'reviewed' }], ...changes });
const open = (result: RunResult, contrasts: readonly PlannedContrast[] | null): string =>
  conclusion(result, contrasts).not_concluded.replace(/^Not to be concluded: /, '');

describe('CL-1 the last lines of a run', () => {
  it('CL-1 RP-3 name the planned contrasts that are not told apart, by what they are compared with', () => {
    const found = [
      contrast('semantic', 'bm25', 'not-told-apart'),
      contrast('hybrid', 'bm25', 'could-not-be-told'),
      contrast('bm25', 'none', 'better'),
      contrast('recency', 'none', 'withheld'),
    ];
    expect(open(sound(), found)).toBe('semantic, hybrid vs bm25; recency vs none');
    expect(open(sound(), [contrast('bm25', 'none', 'worse')])).toBe('what was not planned');
    expect(open(sound(), null)).toBe('any difference between arms (not compared)');
    const { analysis } = sound();
    expect(open(sound({ analysis: { ...analysis, contrasts: [] } }), [])).toContain('no contrast was planned');
  });

  it('CL-1 FB-18 FX-6 LE-6 SQ-1 OB-4 name what else forbids a conclusion, the gravest first', () => {
    const told = [contrast('bm25', 'none', 'better')];
    expect(open(sound({ replicates: 1 }), told)).toBe('other banks');
    expect(open(sound({ formation: [formation] }), told)).toBe('unreviewed labels');
    const arms = [
      arm('a', { degraded: true }),
      arm('b', { parity: 'unpaired', lost: 2 }),
      arm('c', { degraded: true }),
    ];
    expect(open(sound({ arms, status: 'incomplete' }), told)).toBe(
      'anything final (incomplete); anything of a, c (degraded); anything of b (unpaired); anything of b (rows lost)',
    );
    const lessons = {
      projection: SAMPLE_DIGEST,
      lessons: 1,
      of_unknown_origin: 0,
      calibrated: false,
      in_sample: [{ fixture: 'harbour', questions: ['q1', 'q2'] }],
      pairs: [],
    } as const;
    expect(open(sound({ lessons }), told)).toBe('2 in-sample questions');
  });

  it('CL-1 CL-3 name one command that can be pasted: to go on, to see what breached, or the report', () => {
    const next = (changes: Partial<RunResult>) => conclusion(sound({ path: "/my runs/it's", ...changes }), null).next;
    expect(next({})).toBe(`Next: recall-matrix report '/my runs/it'\\''s'`);
    expect(next({ resume: 'recall-matrix run --resume x' })).toBe('Next: recall-matrix run --resume x');
    const { ledger } = sound();
    expect(next({ ledger: { ...ledger, breached: true } })).toMatch(/^Next: recall-matrix ledger /);
  });
});
