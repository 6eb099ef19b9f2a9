import { describe, expect, it } from 'vitest';
import { SAMPLE_DIGEST } from '../../../test/support/observation-samples.js';
import { arm, detail, formation, NO_MISSES, run } from '../../../test/support/run-results.js';
import type { RunResult } from '../../experiment/experiment.js';
import { showProblems } from './problem-lines.js';
import { showRecording } from './recording-table.js';
import { type RunView, showRun } from './run-table.js';

/** What is shown, its sentences unbroken. */
const said = (result: RunResult, view?: RunView): string => showRun(result, view).replaceAll('\n  ', ' ');
const ALL = { details: true };

/** The line that begins with a name. */
const line = (text: string, name: string): string =>
  text.split('\n').find((candidate) => candidate.startsWith(name)) ?? '';

describe('OB-2, OB-4 a run as people read it', () => {
  it('OB-2 a replay says that it is one, and an unpriced cost is not shown as 0', () => {
    const unpriced = run([arm('bm25', { attributed_nano_usd: null })]);
    expect(said(unpriced)).toContain(
      '1 conversation replayed (no new formation call): 12 calls, attributed unpriced, paid $0.00',
    );
    expect(line(showRun(unpriced), 'bm25')).toMatch(/ unpriced$/);
    const shown = showRun(unpriced, ALL);
    expect(line(shown, 'harbour')).toMatch(/replayed \(no new formation call\).* unpriced .*\$0\.00/);
    expect(shown).toMatch(/^bm25 .* unpriced +\$0\.00$/m);
    expect(line(showRun(run([arm('bm25')])), 'bm25')).toContain('$0.0015');
  });

  it('OB-4 answered of asked, own failures and lost rows apart; a score that does not apply is a dash', () => {
    const shown = showRun(run([arm('bm25', { answered: 25, failed: 3, lost: 2 })]), ALL);
    expect(shown).toMatch(/^bm25 +beliefs +equal +0\.500 +– +25\/30 +2 +3 +2 +300/m);
  });

  it('OB-3 what is uncertain stands beside what was paid', () => {
    const shown = showRun(run([arm('bm25', { actual_nano_usd: 5, uncertain_nano_usd: 20 })]), ALL);
    expect(shown).toContain('$0.000000005 (+$0.00000002 uncertain)');
    expect(showRun(run([arm('bm25')]))).toContain('ledger: limit $0.50, spent $0.00, held $0.00000002, 0 sends');
  });

  it('RT-1, SQ-1 references and degraded arms are marked, each with its note, and only where there are some', () => {
    const marked = said(
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

  it('SQ-2 an arm whose preparation is off is labelled, and is not called degraded', () => {
    const shown = showRun(run([arm('semantic'), arm('semantic-off', { lookup_misses: { off: 30 } })]));
    expect(line(shown, 'semantic-off ~')).not.toBe('');
    expect(shown).toContain('~ query preparation is off');
    expect(shown).not.toMatch(/degraded|questions missed/);
  });

  it('OB-6 categories of the first score, with their denominators', () => {
    const shown = showRun(run([arm('bm25')]), ALL);
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
    const text = showRun(run([arm('bm25', { misses }), arm('none')]), ALL);
    expect(text).toMatch(/^wrong by token-f1 \(below 0\.5\) +wrong +never formed +misread$/m);
    expect(text).toMatch(/^bm25 +9\/30 +2 +7$/m);
    expect(text).toMatch(/^none +0\/30 +0 +0$/m);
    expect(showRun(run([arm('bm25')]), ALL)).not.toContain('wrong by');
  });

  it('shows answerable and unanswerable questions apart, where the load has both', () => {
    const by_answerable = {
      answerable: { 'token-f1': detail(0.25, 20) },
      unanswerable: { 'token-f1': detail(1, 10) },
    };
    expect(showRun(run([arm('bm25', { by_answerable })]), ALL)).toMatch(/^bm25 +0\.250 +1\.000$/m);
    expect(showRun(run([arm('bm25')]), ALL)).not.toContain('unanswerable');
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
    const shown = said(run(taught, { lessons }));
    const told =
      'In-sample: verified lessons were learnt from 2 of the questions; scores over all questions hold them too';
    expect(shown).toContain(told);
    expect(shown.indexOf(told)).toBeLessThan(shown.indexOf('token-f1 and lessons'));
    expect(showRun(run(taught, { lessons: { ...lessons, in_sample: [] } }))).not.toContain('hold them too');
  });

  it('LE-6 a run whose arms inject none says nothing of them', () => {
    expect(showRun(run([arm('bm25')]))).not.toContain('lesson');
  });
});
