import { describe, expect, it } from 'vitest';
import { arm, detail, run } from '../../../test/support/run-results.js';
import type { ArmResult, RunResult } from '../../experiment/experiment.js';
import { armTable } from './arm-table.js';
import { PLAIN } from './paint.js';
import { showRun } from './run-table.js';

const SCORERS = ['token-f1', 'evidence-recall@10', 'evidence-recall@500-tokens', 'coverage'];
const estimated = (mean: number, half: number) => ({ ...detail(mean, 30), lo: mean - half, hi: mean + half });
const scored = (name: string, mean: number, half: number, changes: Partial<ArmResult> = {}): ArmResult =>
  arm(name, {
    scores: Object.fromEntries(SCORERS.map((scorer) => [scorer, mean])),
    score_details: { 'token-f1': estimated(mean, half) },
    ...changes,
  });
const table = (result: RunResult): string => armTable(result, PLAIN).text;
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => [...line].length));

describe('CL-1 the table at the end of a run', () => {
  it('CL-1 RT-4 shows unit, context tokens, score with interval, recall, coverage and cost', () => {
    const [head, row] = table(run([scored('bm25', 0.5, 0.125)])).split('\n');
    expect(head).toMatch(/^arm +unit +tokens +score +95 % +recall@10 +coverage +cost$/);
    expect(row).toMatch(/^bm25 +beliefs +300 +0\.500 +±0\.125 +0\.500 +0\.500 +\$0\.0015$/);
    const bare = table(run([arm('bm25', { attributed_nano_usd: null, scores: { 'token-f1': 0.5 } })]));
    expect(bare).toMatch(/^bm25 +beliefs +300 +0\.500 +– +unpriced$/m);
    expect(bare).not.toMatch(/recall|coverage/);
  });

  it('CL-1 is no wider than 80 columns, whatever the names and amounts; cut names can be told apart, and the reader is told', () => {
    const long = 'hybrid+retrieval.limit-10+retrieval.mode-people-scoped+context';
    const dear = { attributed_nano_usd: 123_456_789_012, context_tokens: { p50: 123_456, p95: null, mean: null } };
    const result = run([
      scored(`${long}-5`, 0.5, 10.25, dear),
      scored(`${long}-9`, 0.5, 0.25, { ...dear, degraded: true }),
      scored('x'.repeat(64), 0.5, 0.25, { ...dear, reference: true }),
    ]);
    const { text, has_cut_names } = armTable(result, PLAIN);
    expect(widest(text)).toBe(80);
    expect(has_cut_names).toBe(true);
    const names = text.split('\n').map((line) => line.split('  ')[0]);
    expect(new Set(names).size).toBe(names.length);
    expect(widest(showRun(result))).toBeLessThanOrEqual(80);
    expect(showRun(result)).toContain('Names with … are cut');
    expect(showRun(run([scored('bm25', 0.5, 0.1)]))).not.toContain('…');
  });

  it('RT-1 RP-8 OB-6 references, an arm that runs again and always abstaining stand below a rule', () => {
    const result = run(
      [
        scored('full-history', 0.6, 0.1, { reference: true }),
        scored('bm25', 0.5, 0.1),
        scored('bm25-aa', 0.5, 0.1, { aa_of: 'bm25' }),
      ],
      { always_abstain: { 'token-f1': 0.125 } },
    );
    const lines = table(result).split('\n');
    expect(lines.map((line) => line.split(' ')[0]?.slice(0, 12))).toEqual([
      'arm',
      'bm25',
      '────────────',
      '(abstain',
      'full-history',
      'bm25-aa',
    ]);
    expect(lines[3]).toContain('0.125');
    expect(table(run([scored('bm25', 0.5, 0.1)]))).not.toContain('─');
  });

  it('CL-1 is painted by lines, and no number, mark or word is told by colour alone', () => {
    const paint = {
      heading: (text: string) => `<h>${text}</h>`,
      good: (text: string) => `<g>${text}</g>`,
      warn: (text: string) => `<w>${text}</w>`,
      bad: (text: string) => `<b>${text}</b>`,
      faint: (text: string) => `<f>${text}</f>`,
    };
    const result = run([scored('bm25', 0.5, 0.1, { degraded: true, lookup_misses: { expired: 1 } })]);
    const shown = showRun(result, { paint });
    expect(shown).toMatch(/^<w>bm25 ! .*<\/w>$/m);
    expect(shown).toMatch(/^run \S+: <g>complete<\/g>\n/);
    expect(shown.replaceAll(/<\/?[hgwbf]>/g, '')).toBe(showRun(result));
  });
});
