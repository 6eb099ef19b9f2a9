import { describe, expect, it } from 'vitest';
import { SAMPLE_DIGEST } from '../../../test/support/observation-samples.js';
import type { ArmResult, FormationResult, RunResult, ScoreDetail } from '../../experiment/experiment.js';
import { showProblems, showRecording, showRun } from './run-table.js';

function detail(mean: number | null, n: number): ScoreDetail {
  return {
    mean,
    mean_without_failures: mean,
    n,
    questions: n,
    failed: 0,
    lo: null,
    hi: null,
    method: 'mean',
    clusters: 1,
  };
}

const NO_MISSES: ArmResult['misses'] = {
  scorer: 'token-f1',
  below: 0.5,
  n: 30,
  causes: {
    'never-formed': 0,
    'wrongly-superseded': 0,
    'not-retrieved': 0,
    'cut-from-context': 0,
    misread: 0,
    untold: 0,
  },
};

function arm(name: string, changes: Partial<ArmResult> = {}): ArmResult {
  return {
    arm: name,
    status: 'complete',
    reason: null,
    reference: false,
    recall: 'automatic',
    searches: 0,
    oracle: false,
    aa_of: null,
    unit: 'beliefs',
    degraded: false,
    lookup_misses: {},
    questions: 30,
    answered: 30,
    failed: 0,
    lost: 0,
    abstained: 2,
    replayed_calls: 12,
    parity: 'equal',
    scores: { 'token-f1': 0.5, coverage: null },
    score_details: { 'token-f1': detail(0.5, 30), coverage: detail(null, 0) },
    between_banks: null,
    by_category: {
      temporal: { 'token-f1': detail(0.25, 8) },
      'single-hop': { 'token-f1': detail(0.75, 22) },
    },
    by_answerable: { answerable: {}, unanswerable: {} },
    lessons: null,
    misses: NO_MISSES,
    judging: {},
    context_tokens: { p50: 300, p95: 400, mean: 300 },
    attributed_nano_usd: 1_500_000,
    costs: { fixed_nano_usd: 1_000_000, marginal_nano_usd: 20_000, break_even_questions: 13 },
    actual_nano_usd: 0,
    uncertain_nano_usd: 0,
    reported_models: [],
    ...changes,
  };
}

const NONE_SENT = { sends: 0, actual_nano_usd: 0, uncertain_nano_usd: 0 };

const formation: FormationResult = {
  fixture: 'harbour',
  replicate: 1,
  corpus: SAMPLE_DIGEST,
  bank: SAMPLE_DIGEST,
  vector_bank: SAMPLE_DIGEST,
  vectors: [{ unit: 'beliefs', source: 'replayed', vector_bank: SAMPLE_DIGEST, items: 90, queries: 12 }],
  source: 'replayed',
  calls: 12,
  attributed_nano_usd: null,
  actual_nano_usd: 0,
  uncertain_nano_usd: 0,
  embedding: { index: NONE_SENT, query: NONE_SENT },
  state: SAMPLE_DIGEST,
  live_states: null,
  reported_models: [],
  review: 'changed-since-review',
};

function run(arms: readonly ArmResult[], changes: Partial<RunResult> = {}): RunResult {
  return {
    format: 'run-result@1',
    run: 'quickstart-1',
    path: '/runs/quickstart-1',
    matrix: SAMPLE_DIGEST,
    resume: null,
    status: 'complete',
    replicates: 1,
    formation: [formation],
    arms,
    ledger: {
      limit_nano_usd: 500_000_000,
      spent_nano_usd: 0,
      held_nano_usd: 20,
      uncertain_nano_usd: 20,
      sends: 0,
      breached: false,
      by_arm_and_stage: [],
    },
    query_preparation: null,
    lessons: null,
    judging: null,
    model_changes: [],
    analysis: {
      primary: 'token-f1',
      contrasts: [['bm25', 'none']],
      alpha: 0.05,
      power: 0.8,
      margin: 0.02,
      exploratory: { scorers: [], arms: [] },
    },
    always_abstain: {},
    problems: [],
    ...changes,
  };
}

/** The line that begins with a name. */
const line = (text: string, name: string): string =>
  text.split('\n').find((candidate) => candidate.startsWith(name)) ?? '';

describe('OB-2, OB-4 a run as people read it', () => {
  it('OB-2 a replay says that it is one, and an unpriced cost is not shown as 0', () => {
    const shown = showRun(run([arm('bm25', { attributed_nano_usd: null })]));
    expect(line(shown, 'harbour')).toMatch(/replayed \(no new formation call\).* unpriced .*\$0\.00/);
    expect(line(shown, 'bm25')).toMatch(/unpriced +\$0\.00$/);
    expect(line(showRun(run([arm('bm25')])), 'bm25')).toContain('$0.0015');
  });

  it('OB-4 answered of asked, own failures and lost rows apart; a score that does not apply is a dash', () => {
    const shown = line(showRun(run([arm('bm25', { answered: 25, failed: 3, lost: 2 })])), 'bm25');
    expect(shown).toMatch(/^bm25 +beliefs +equal +0\.500 +– +25\/30 +2 +3 +2 +300/);
  });

  it('OB-4 every denominator is printed, by arm where they differ', () => {
    const other = arm('none', { score_details: { 'token-f1': detail(0, 28), coverage: detail(null, 0) } });
    const shown = showRun(run([arm('bm25'), other]));
    expect(shown).toContain('token-f1: n=30 (bm25); n=28 (none)');
    expect(shown).toContain('coverage: n=0\n');
  });

  it('MX-8 says what was planned before the run, and that the rest is exploratory', () => {
    const shown = run([arm('bm25')]);
    expect(showRun(shown)).toContain('Planned before the run: token-f1, bm25 against none. Every other score');
    expect(showRun({ ...shown, analysis: { ...shown.analysis, contrasts: [] } })).toContain('no contrast');
  });

  it('OB-3 what is uncertain stands beside what was paid', () => {
    const shown = line(showRun(run([arm('bm25', { actual_nano_usd: 5, uncertain_nano_usd: 20 })])), 'bm25');
    expect(shown).toContain('$0.000000005 (+$0.00000002 uncertain)');
    expect(showRun(run([arm('bm25')]))).toContain('ledger: limit $0.50, spent $0.00, held $0.00000002, 0 sends');
  });

  it('RT-1, SQ-1 references and degraded arms are marked, each with its note, and only where there are some', () => {
    const marked = showRun(
      run([
        arm('full-history', { reference: true }),
        arm('semantic', { degraded: true, lookup_misses: { expired: 2, 'refused:day': 1 } }),
      ]),
    );
    expect(line(marked, 'full-history *')).not.toBe('');
    expect(line(marked, 'semantic !')).not.toBe('');
    expect(showRun(run([arm('bm25')]))).not.toMatch(/reference, not ranked|! degraded|~/);
    expect(marked).toContain('* reference, not ranked');
    expect(marked).toContain('! degraded');
    expect(marked).toContain('semantic: 3 of 30 questions missed: expired 2, refused:day 1');
    // What to do about it: these rows stand, so no resume asks them again.
    expect(marked).toContain('docs/semantic-queries.md');
    expect(marked).toMatch(/refused:day: .*another UTC day.*query_preparation\.ceilings\.day_usd.*ledger --embeddings/);
    expect(marked).not.toMatch(/^refused:slot/m);
  });

  it('SQ-1 what became of the questions is told where one has no vector, with the reasons, and only then', () => {
    const none = { withheld: {}, ineligible: {}, refused: {}, unprepared: {}, cache: {} };
    const tally = { queries: 10, prepared: 6, pinned: 1, ...none };
    const shown = (query_preparation: RunResult['query_preparation']) =>
      showRun(run([arm('bm25')], { query_preparation }));
    const missed = shown({ ...tally, withheld: { injection: 1 }, unprepared: { deadline: 1, 'provider-failure': 1 } });
    expect(missed).toContain(
      'query preparation: 10 queries: 6 prepared, 1 pinned; withheld: injection 1; unprepared: deadline 1, provider-failure 1',
    );
    expect(shown({ ...tally, prepared: 9 })).not.toContain('query preparation');
  });

  it('SQ-2 an arm whose preparation is off is labelled, and is not called degraded', () => {
    const shown = showRun(run([arm('semantic'), arm('semantic-off', { lookup_misses: { off: 30 } })]));
    expect(line(shown, 'semantic-off ~')).not.toBe('');
    expect(shown).toContain('~ query preparation is off');
    expect(shown).not.toMatch(/degraded|questions missed/);
  });

  it('FB-16 unpaired arms are marked, and the reader is told what their differences mix', () => {
    expect(showRun(run([arm('bm25', { parity: 'unpaired' })]))).toContain('mix formation with retrieval');
    expect(showRun(run([arm('bm25')]))).not.toContain('mix formation with retrieval');
  });

  it('FB-16 names where live formation gave an arm other beliefs', () => {
    const state = { calls: 2, actual_nano_usd: 5, state: SAMPLE_DIGEST, beliefs: 4, people: 2 };
    const difference = { table: 'belief', record: 'id=1', field: 'statement', expected: 'a', found: 'b' };
    const live_states = [
      { arm: 'bm25', ...state, differs_from: null, difference: null },
      { arm: 'recency', ...state, differs_from: 'bm25', difference },
    ];
    const shown = showRun(run([arm('bm25')], { formation: [{ ...formation, source: 'live', live_states }] }));
    expect(shown).toContain('harbour: recency formed another state than bm25: first at belief [id=1], statement');
    expect(shown).not.toContain('bm25 formed another state');
  });

  it('PR-4 says where a model reported several names; LG-9 says that a cost exceeded its reservation', () => {
    const { ledger } = run([]);
    const changed = run([arm('bm25')], {
      model_changes: [{ stage: 'reader', requested: 'small', reported: ['small-a', 'small-b'] }],
      ledger: { ...ledger, breached: true },
    });
    expect(showRun(changed)).toContain('reader model small reported several names within this run: small-a, small-b.');
    expect(showRun(changed)).toContain('BREACHED');
    expect(showRun(run([arm('bm25')]))).not.toMatch(/several names|BREACHED/);
  });

  it('ST-5 says what parity shows, and what it does not; FX-6 shows where a corpus changed since its review', () => {
    const shown = showRun(run([arm('bm25')]));
    expect(shown).toContain('not that vectors are equal, nor that formation found every fact');
    expect(line(shown, 'harbour')).toContain('changed-since-review');
  });

  it('RT-4 arms whose mean context is more than a tenth from the median are flagged; references and empty ones are not', () => {
    const context = (mean: number) => ({ context_tokens: { p50: mean, p95: mean, mean } });
    const near = [arm('a', context(100)), arm('b', context(105)), arm('c', context(110))];
    expect(showRun(run([...near, arm('none', context(0))]))).not.toContain('Mean context differs');
    expect(showRun(run([...near, arm('full-history', { reference: true, ...context(900) })]))).not.toContain(
      'Mean context differs',
    );
    expect(showRun(run([...near, arm('wide', context(130))]))).toContain(
      "more than a tenth from the median arm's 110 tokens: wide 130",
    );
  });

  it('OB-6 categories of the first score, with their denominators', () => {
    const shown = showRun(run([arm('bm25')]));
    expect(shown).toMatch(/token-f1 by category +single-hop \(n=22\) +temporal \(n=8\)\nbm25 +0\.750 +0\.250/);
  });

  it('RS-4 text from a model or a provider cannot steer the terminal', () => {
    const hostile = 'the provider said \u001b[2J\u202e\r\nboo';
    const result = run([arm('bm25', { status: 'failed', reason: hostile })], {
      problems: [
        { kind: 'provider', code: 'X', message: hostile, remedy: null, fixture: 'harbour', arm: 'bm25' },
        { kind: 'bank', code: 'Y', message: 'm', remedy: 'do this', fixture: 'harbour', arm: null },
      ],
    });
    const [first, second] = showProblems(result);
    for (const text of [showRun(result), first as string]) {
      expect([...'\u001b\u202e\r'].some((character) => text.includes(character))).toBe(false);
      expect(text).toContain('\\u{1b}[2J\\u{202e} boo');
    }
    expect(first).toMatch(/^harbour, bm25: X: /);
    expect(second).toBe('harbour: Y: m\n  remedy: do this');
  });

  it('LG-1 a recording shows its formation and its own ledger', () => {
    const shown = showRecording({
      format: 'record-result@1',
      run: 'record-1',
      path: '/runs/record-1',
      matrix: SAMPLE_DIGEST,
      status: 'complete',
      formation: [{ ...formation, source: 'recorded' }],
      ledger: run([]).ledger,
      problems: [],
    });
    expect(shown).toMatch(/^record record-1: complete\n/);
    expect(shown).toContain('recorded now');
    expect(shown).toContain('limit $0.50');
  });
});

describe('OB-6 what went wrong', () => {
  it('shows misses by cause, each with its denominator, and causes that there are alone', () => {
    const misses = { ...NO_MISSES, causes: { ...NO_MISSES.causes, 'never-formed': 2, misread: 7 } };
    const text = showRun(run([arm('bm25', { misses }), arm('none')]));
    expect(text).toMatch(/^wrong by token-f1 \(below 0\.5\) +wrong +never formed +misread$/m);
    expect(text).toMatch(/^bm25 +9\/30 +2 +7$/m);
    expect(text).toMatch(/^none +0\/30 +0 +0$/m);
    expect(showRun(run([arm('bm25')]))).not.toContain('wrong by');
  });

  it('shows answerable and unanswerable questions apart, where the load has both', () => {
    const by_answerable = {
      answerable: { 'token-f1': detail(0.25, 20) },
      unanswerable: { 'token-f1': detail(1, 10) },
    };
    expect(showRun(run([arm('bm25', { by_answerable })]))).toMatch(/^bm25 +0\.250 +1\.000$/m);
    expect(showRun(run([arm('bm25')]))).not.toContain('unanswerable');
  });
});

describe("LE-6 lessons in a run's table", () => {
  const lessons = {
    projection: SAMPLE_DIGEST,
    lessons: 2,
    of_unknown_origin: 1,
    calibrated: false,
    in_sample: [{ fixture: 'harbour', questions: ['harbour/q1', 'harbour/q\u001b[2J'] }],
    pairs: [],
  } as const;
  const by = (injected_rows: number, inSample: number) => ({
    injected_rows,
    in_sample: { 'token-f1': detail(inSample, 2) },
    out_of_sample: { 'token-f1': detail(0.5, 28) },
  });

  it('LE-6 scores over the questions that they were learnt from stand apart, with both denominators, and nothing is calibrated', () => {
    const shown = showRun(
      run([arm('bm25', { lessons: by(0, 0.25) }), arm('taught', { lessons: by(2, 0.75) })], { lessons }),
    );
    expect(shown).toMatch(/token-f1 and lessons +rows with lessons +in-sample \(n=2\) +out-of-sample \(n=28\)/);
    expect(shown).toMatch(/bm25 +0 +0\.25\d* +0\.50\d*/);
    expect(shown).toMatch(/taught +2 +0\.75\d* +0\.50\d*/);
    expect(shown).toContain('2 lessons verified or enforced; the thresholds that verify a lesson are not calibrated.');
    expect(shown).toContain('harbour/q1');
    expect(shown).toContain('Of 1 lesson nobody knows');
    expect(shown).not.toContain('\u001b');
  });

  it('LE-6 beneath the scores over all questions it says how many of them are in-sample, and where they stand apart', () => {
    const taught = [arm('bm25', { lessons: by(0, 0.25) }), arm('taught', { lessons: by(2, 0.75) })];
    const shown = showRun(run(taught, { lessons }));
    const said =
      'In-sample: verified lessons were learnt from 2 of the questions; scores over all questions hold them too';
    expect(shown).toContain(said);
    expect(shown.indexOf(said)).toBeLessThan(shown.indexOf('token-f1 and lessons'));
    expect(showRun(run(taught, { lessons: { ...lessons, in_sample: [] } }))).not.toContain('hold them too');
  });

  it('LE-6 a run whose arms inject none says nothing of them', () => {
    expect(showRun(run([arm('bm25')]))).not.toContain('lesson');
  });
});
