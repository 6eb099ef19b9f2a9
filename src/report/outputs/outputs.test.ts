import { describe, expect, it } from 'vitest';
import { rowsOf, sampleComparison, sampleContrast } from '../../../test/support/comparison-samples.js';
import type { Comparison } from '../comparison/comparison.js';
import { applyGates } from '../comparison/gate/apply-gates.js';
import { parseCondition } from '../comparison/gate/condition.js';
import { showComparison } from '../tables/comparison-table.js';
import { comparisonCsv } from './comparison-csv.js';
import { comparisonJunit } from './comparison-junit.js';
import { comparisonMarkdown } from './comparison-markdown.js';
import { markdownText } from './markdown.js';

const FALLEN = [
  [-0.5, -0.4],
  [-0.45, -0.5],
  [-0.5, -0.42],
  [-0.4, -0.5],
];
const NOISY = [
  [-0.5, 0.4],
  [0.45, -0.5],
  [0.1, 0.2],
  [-0.4, 0.5],
];

/** What a name of an arm, a dataset or a model can hold. */
const HOSTILE = '=1+1|<script>alert(1)</script> [x](http://y)`*_\u202e\u001b[31m@team\n# head';

const gate = (comparison: Comparison, ...conditions: string[]): Comparison =>
  applyGates(comparison, {
    conditions: conditions.map(parseCondition),
    scope: 'new-conversations',
    max_lost_share: 0.05,
  });

const FACTOR = { factor: 'reader', fixture: null, arm: 'bm25', base: 'm-1', head: 'm-2', is_treatment: true };

/** Several of everything. */
function whole(): Comparison {
  return gate(
    sampleComparison(
      [
        sampleContrast(FALLEN),
        sampleContrast(NOISY, { head_arm: 'semantic', base_arm: 'semantic' }),
        sampleContrast([[-0.5, -0.1]], { scorer: 'exact-match', planned: false }),
        sampleContrast(FALLEN, {
          scorer: 'coverage',
          planned: false,
          rows: { base: rowsOf(8), head: rowsOf(8, { lost: 4 }) },
        }),
      ],
      { factors: [FACTOR, { ...FACTOR, factor: 'server', arm: null, is_treatment: false }], confounded: true },
    ),
    'token-f1 < -0.02',
    'exact-match < -0.02',
    'coverage < -0.02',
  );
}

/** All that names can be is hostile. */
function hostile(): Comparison {
  const contrast = sampleContrast(FALLEN, {
    head_arm: HOSTILE,
    base_arm: HOSTILE,
    verdict: { kind: 'worse', sentence: `${HOSTILE} is worse.`, basis: [`${HOSTILE} rests on it.`] },
  });
  const plain = sampleComparison([contrast], { notes: [HOSTILE], factors: [{ ...FACTOR, head: HOSTILE }] });
  const { base, datasets } = plain;
  return gate(
    {
      ...plain,
      base: { ...base, run: HOSTILE },
      datasets: datasets.map((dataset) => ({ ...dataset, dataset: HOSTILE })),
    },
    'token-f1 < -0.02',
  );
}

describe('RP-4 a comparison as CSV', () => {
  it('RP-4 has a line for each contrast, with numbers as they are, and the gates', async () => {
    const [head, ...lines] = (await comparisonCsv(whole())).trimEnd().split('\n');
    expect(head).toContain('base_run,head_run,dataset,head_arm,base_arm,scorer,planned,confounded,pairs');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('base-run,head-run,made-up,bm25,bm25,token-f1,true,true,8,0,0,0.5,');
    expect(lines[0]).toMatch(/,-0\.458\d+,estimated,-0\.\d+,/);
    expect(lines[0]?.endsWith('token-f1 < -0.02: regression')).toBe(true);
    expect(lines[0]).toContain(',not-told-apart,bm25 and bm25 are not told apart.,p is 0.5.,');
    expect(lines[2]).toContain(',one_unit,,,,,');
    expect(lines[2]?.endsWith('exact-match < -0.02: untestable')).toBe(true);
  });

  it('RP-4 RS-4 has no cell that a spreadsheet would take for a formula, but for numbers', async () => {
    const csv = await comparisonCsv(hostile());
    expect(csv).toContain(`"'=1+1|<script>`);
    expect(csv).not.toMatch(/(^|,)"?[=+@]/m);
    for (const cell of csv.match(/(^|,)"?-[^,]*/gm) ?? []) expect(cell).toMatch(/^,?-\d+(\.\d+)?(e-\d+)?$/);
  });
});

const TAGS = ['testsuites', 'testsuite', 'testcase', 'failure', 'system-out'];

describe('RP-4 a comparison as JUnit', () => {
  it('RP-4 a regression is a failure, a gate that can never fail an error, an invalid night is skipped', async () => {
    const xml = await comparisonJunit(whole());
    expect(xml).toContain('<testsuite name="made-up" tests="8" failures="1" errors="1" skipped="1"');
    expect(xml).toMatch(
      /<testcase classname="gate" name="bm25: token-f1 &lt; -0.02">\s*<failure message="token-f1 of bm25: regression: /,
    );
    expect(xml).toMatch(
      /name="bm25: exact-match &lt; -0.02">\s*<error message="exact-match of bm25: untestable: it can never fail/,
    );
    expect(xml).toMatch(/name="bm25: coverage &lt; -0.02">\s*<skipped\/>/);
    expect(xml).toContain('<testcase classname="contrast" name="bm25: exact-match (exploratory)">');
    expect(xml).toContain('bm25 and bm25 are not told apart.\np is 0.5.');
  });

  it('RP-4 RS-4 holds hostile text as text, and no character that XML forbids', async () => {
    const comparison = hostile();
    const xml = await comparisonJunit({
      ...comparison,
      gates: comparison.gates.map((one) => ({ ...one, sentence: `${one.sentence} \ud800 \uffff \u0000 ]]>` })),
    });
    // Output stands in CDATA, whose only markup is its end.
    const outside = xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '');
    expect(outside).not.toContain('script>alert(1)</');
    expect(outside).toContain('name="=1+1|&lt;script>alert(1)&lt;/script>');
    expect(outside.match(/<(?![?/a-z])/g)).toBeNull();
    expect(outside.match(/<[a-z-]+/g)?.every((tag) => TAGS.includes(tag.slice(1)))).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e\ud800-\udfff\uffff]/);
  });
});

describe('RP-4 a comparison as Markdown', () => {
  it('RP-4 says the gate first, then what differs and each contrast', () => {
    const text = comparisonMarkdown(whole());
    expect(text).toContain('Gate: UNTESTABLE');
    expect(text).toContain('- differs: reader (bm25): m-1 -&gt; m-2, the treatment');
    expect(text).toContain('**confounded**');
    expect(text).toMatch(/^\| token-f1 \| semantic \| 8 \| 0\.500 \|/m);
    expect(text).toContain('not told apart, exploratory');
    expect(text).toContain('- **bm25 and bm25 are not told apart.**\n  - p is 0.5.');
  });

  it.each([
    ['- a', '\\- a'],
    ['12. a', '12\\. a'],
    ['=== a', '\\=== a'],
    ['a_b _c_', 'a_b \\_c\\_'],
    ['see: http://x :tada: www.x', 'see: http\\://x \\:tada: www\\.x'],
    ['mine-2026 [-0.714, +0.1] (e)!', 'mine-2026 \\[-0.714, +0.1\\] (e)!'],
  ])('RP-4 RS-4 escapes what would be markup where it stands, and nothing else: %s', (text, shown) => {
    expect(markdownText(text)).toBe(shown);
  });

  it('RP-4 RS-4 shows hostile text as itself: no markup, no HTML, no cell, no mention', () => {
    const text = comparisonMarkdown(hostile());
    expect(text).not.toContain('<');
    expect(text).not.toMatch(/[^\\]\[x\]/);
    expect(text).not.toContain('@team');
    expect(text).not.toMatch(/^# head/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    // Each row of a table has the cells that its head has.
    const cells = (line: string): number => line.replace(/\\\|/g, '').split('|').length;
    for (const block of text.split('\n\n').filter((part) => part.startsWith('|'))) {
      const lines = block.trim().split('\n');
      expect(new Set(lines.map(cells)).size).toBe(1);
    }
  });
});

describe('a comparison in a terminal', () => {
  it('RP-4 CL-4 fits 80 columns, and says what is planned, confounded, and what each gate found', () => {
    const text = showComparison(whole());
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(text).toContain('· bm25 (e)');
    expect(text).toContain('CONFOUNDED');
    expect(text).toContain('- bm25 and bm25 are not told apart.\n    p is 0.5.');
    expect(text).toMatch(/^Gate: UNTESTABLE/m);
    expect(text).toMatch(/^- token-f1 of bm25: regression: the upper bound/m);
    expect(text).toMatch(/^- coverage of bm25: neither pass nor regression: 4 of 8 rows of head/m);
    expect(text).toContain('dataset  made-up\n         1 conversation, 3 questions each');
  });

  it('RP-4 RS-4 shows nothing that steers a terminal', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(showComparison(hostile())).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('RP-8 an arm that ran twice has its noise floor beside the differences, here and in Markdown', () => {
    const plain = sampleComparison([sampleContrast(NOISY)]);
    const pairs = sampleContrast([
      [0.1, -0.1, 0],
      [0, 0.1, 0],
    ]);
    const { new_conversations, these_conversations } = pairs;
    const floor = { arm: 'bm25', twin: 'bm25-aa', dataset: 'made-up', pairs: 6, changed: 3 };
    const noise_floors = [{ ...floor, new_conversations, these_conversations, half_width: 0.071 }];
    const comparison = { ...plain, datasets: plain.datasets.map((dataset) => ({ ...dataset, noise_floors })) };
    const told = 'bm25, asked twice, scored otherwise on 3 of 6 questions; it is +0.017 from itself';
    expect(showComparison(comparison).replace(/\s+/g, ' ')).toContain(told);
    expect(comparisonMarkdown(comparison)).toContain('scored otherwise on 3 of 6 questions');
    expect(showComparison(plain)).not.toContain('asked twice');
  });

  it('MX-8 where another scorer is named alone, its verdicts are told, and are exploratory', () => {
    const named = sampleContrast(NOISY, { scorer: 'coverage', planned: false });
    expect(showComparison(sampleComparison([named]))).toContain('- bm25 and bm25 are not told apart.');
    const beside = showComparison(sampleComparison([sampleContrast(NOISY), named]));
    expect(beside.match(/^- bm25/gm)).toHaveLength(1);
  });

  it('RP-3 scorers with the same figures share their lines', () => {
    const same = ['coverage', 'evidence-recall@10'].map((scorer) => sampleContrast(NOISY, { scorer, planned: false }));
    const text = showComparison(sampleComparison([sampleContrast(NOISY), ...same]));
    expect(text).toMatch(/^token-f1\n· bm25 .*\ncoverage, evidence-recall@10\n· bm25 \(e\)/m);
    expect(text.match(/^· /gm)).toHaveLength(2);
  });

  it('RP-4 without a gate, none is spoken of', () => {
    expect(showComparison(sampleComparison([sampleContrast(NOISY)]))).not.toContain('Gate');
  });
});
