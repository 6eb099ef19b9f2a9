import { describe, expect, it } from 'vitest';
import { SAMPLE_DIGEST } from '../../../test/support/observation-samples.js';
import { arm, detail, formation, run } from '../../../test/support/run-results.js';
import type { RunResult } from '../../experiment/experiment.js';
import { runNotes } from './run-notes.js';

/** All notes, one a line. */
const said = (result: RunResult): string => runNotes(result).join('\n');

describe('OB-4, ST-5 what must be known to read a run', () => {
  it('MX-8 says what was planned before the run, and that the rest is exploratory', () => {
    const shown = run([arm('bm25')]);
    expect(said(shown)).toContain('Planned before the run: token-f1, bm25 against none. Every other score');
    expect(said({ ...shown, analysis: { ...shown.analysis, contrasts: [] } })).toContain('no contrast');
  });

  it('SQ-1 what became of the questions is told where one has no vector, with the reasons, and only then', () => {
    const none = { withheld: {}, ineligible: {}, refused: {}, unprepared: {}, cache: {} };
    const tally = { queries: 10, prepared: 6, pinned: 1, ...none };
    const shown = (query_preparation: RunResult['query_preparation']) =>
      said(run([arm('bm25')], { query_preparation }));
    const missed = shown({ ...tally, withheld: { injection: 1 }, unprepared: { deadline: 1, 'provider-failure': 1 } });
    expect(missed).toContain(
      'query preparation: 10 queries: 6 prepared, 1 pinned; withheld: injection 1; unprepared: deadline 1, provider-failure 1',
    );
    expect(shown({ ...tally, prepared: 9 })).not.toContain('query preparation');
  });

  it('FB-16 unpaired arms are marked, and the reader is told what their differences mix', () => {
    expect(said(run([arm('bm25', { parity: 'unpaired' })]))).toContain('mix formation with retrieval');
    expect(said(run([arm('bm25')]))).not.toContain('mix formation with retrieval');
  });

  it('FB-16 names where live formation gave an arm other beliefs', () => {
    const state = { calls: 2, actual_nano_usd: 5, state: SAMPLE_DIGEST, beliefs: 4, people: 2 };
    const difference = { table: 'belief', record: 'id=1', field: 'statement', expected: 'a', found: 'b' };
    const live_states = [
      { arm: 'bm25', ...state, differs_from: null, difference: null },
      { arm: 'recency', ...state, differs_from: 'bm25', difference },
    ];
    const shown = said(run([arm('bm25')], { formation: [{ ...formation, source: 'live', live_states }] }));
    expect(shown).toContain('harbour: recency formed another state than bm25: first at belief [id=1], statement');
    expect(shown).not.toContain('bm25 formed another state');
  });

  it('PR-4 says where a model reported several names; LG-9 says that a cost exceeded its reservation', () => {
    const { ledger } = run([]);
    const changed = run([arm('bm25')], {
      model_changes: [{ stage: 'reader', requested: 'small', reported: ['small-a', 'small-b'] }],
      ledger: { ...ledger, breached: true },
    });
    expect(said(changed)).toContain('reader model small reported several names within this run: small-a, small-b.');
    expect(said(changed)).toContain('BREACHED');
    expect(said(run([arm('bm25')]))).not.toMatch(/several names|BREACHED/);
  });

  it('ST-5 says what parity shows, and what it does not; FX-6 shows where a corpus changed since its review', () => {
    const shown = said(run([arm('bm25')]));
    expect(shown).toContain('not that vectors are equal, nor that formation found every fact');
    expect(shown).toMatch(/^formation: 1 conversation .* corpus changed-since-review$/m);
  });

  it('RT-4 arms whose mean context is more than a tenth from the median are flagged; references and empty ones are not', () => {
    const context = (mean: number) => ({ context_tokens: { p50: mean, p95: mean, mean } });
    const near = [arm('a', context(100)), arm('b', context(105)), arm('c', context(110))];
    expect(said(run([...near, arm('none', context(0))]))).not.toContain('Mean context differs');
    expect(said(run([...near, arm('full-history', { reference: true, ...context(900) })]))).not.toContain(
      'Mean context differs',
    );
    expect(said(run([...near, arm('wide', context(130))]))).toContain(
      "more than a tenth from the median arm's 110 tokens: wide 130",
    );
  });

  it('OB-4 every denominator is there, by arm where they differ; scores that are alike share one', () => {
    const details = { 'token-f1': detail(0.5, 30), 'exact-match': detail(0.5, 30), coverage: detail(null, 0) };
    const other = { ...details, 'token-f1': detail(0, 28), 'exact-match': detail(0, 28) };
    const shown = said(run([arm('none', { score_details: other }), arm('bm25', { score_details: details })]));
    expect(shown).toContain('n=30 (bm25); n=28 (none): token-f1, exact-match\n');
    expect(shown).toContain('n=0: coverage\n');
  });

  it('OB-4 rows without an answer are counted, by what became of them, and only where there are some', () => {
    const shown = said(run([arm('bm25', { answered: 23, failed: 3, lost: 2 })]));
    expect(shown).toContain(
      'bm25: 23 of 30 rows answered, 3 failed by its own making (0 in the mean), 2 lost to the provider or the budget (in no mean), 2 not asked',
    );
    expect(said(run([arm('bm25')]))).not.toContain('answered');
  });

  it('RP-3 what the interval is, why there is none, and that few conversations make its width a chance', () => {
    const estimated = (clusters: number) => ({ ...detail(0.5, 30), lo: 0.4, hi: 0.6, clusters });
    const shown = (...details: ReturnType<typeof detail>[]) =>
      said(run(details.map((one, index) => arm(`a${index}`, { score_details: { 'token-f1': one } }))));
    expect(shown(estimated(5))).toContain(
      'token-f1, the mean over questions, with its 95 % interval for new conversations',
    );
    expect(shown(estimated(5))).not.toMatch(/mostly chance|no interval/);
    expect(shown(estimated(4))).toContain("With 4 conversations an interval's own width is mostly chance");
    const none = { ...detail(0.5, 30), method: 'no interval: one conversation' };
    expect(shown(estimated(5), none)).toMatch(/^a1: no interval: one conversation$/m);
    expect(shown(none, none)).toMatch(/^no interval: one conversation$/m);
    expect(shown(none)).not.toContain('mostly chance');
  });

  it('RP-8 what an arm that ran twice differs by is told', () => {
    const again = arm('bm25-aa', { aa_of: 'bm25', scores: { 'token-f1': 0.47 } });
    expect(said(run([arm('bm25'), again]))).toContain('bm25-aa runs bm25 a second time: its token-f1 moved by 0.030.');
    expect(said(run([arm('bm25')]))).not.toContain('second time');
  });
});
