import { renderToString } from 'preact-render-to-string';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RecordedRunDescription, type RowValue, writeRecordedRun } from '../../../../test/support/recorded-run.js';
import { openRunRecord } from '../../../experiment/reading/open-run-record.js';
import { reportModel } from '../report-model.js';
import { pageSections } from './sections.js';

const HOSTILE = '<script>alert("x")</script>';

/** A section's markup by its id. */
async function sectionsOf(description: RecordedRunDescription): Promise<ReadonlyMap<string, string>> {
  const model = await reportModel(await openRunRecord(await writeRecordedRun(description)));
  return new Map((await pageSections(model)).map(({ id, content }) => [id, renderToString(<div>{content}</div>)]));
}

/** What a person reads of markup. */
const text = (markup: string | undefined): string =>
  (markup ?? '')
    .replace(/<svg[\s\S]*?<\/svg>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('RP-5 the findings of a report', () => {
  let sections: ReadonlyMap<string, string>;
  beforeAll(async () => {
    sections = await sectionsOf({
      arms: ['bm25', 'semantic', { name: 'semantic-aa', aa_of: 'semantic' }, 'none', 'full-history'],
      fixtures: [1, 2, 3].map((place) => ({
        id: `c${place}`,
        questions: [{}, {}, { category: 'temporal' }, { answerable: false }],
      })),
      scorers: ['token-f1', 'coverage'],
      row: ({ arm, conversation, index }): RowValue => {
        const miss = { cause: 'not-retrieved' as const, turns: [] };
        if (arm === 'none')
          return index === 3 ? 1 : { scores: { 'token-f1': 0, coverage: null }, miss, abstained: true };
        if (arm === 'bm25' && index < 2) return { scores: { 'token-f1': 0.1 * conversation, coverage: 0 }, miss };
        return arm === 'semantic-aa' && index === conversation ? 0.6 : 1;
      },
      matrix: {
        analysis: { primary: 'token-f1', contrasts: [['semantic', 'bm25']], alpha: 0.05, power: 0.8, margin: 0.02 },
      },
    });
  });

  it('begin with the verdict, and show where questions are lost next', () => {
    expect([...sections.keys()].slice(0, 2)).toEqual(['verdict', 'causes']);
    const verdict = text(sections.get('verdict'));
    expect(verdict).toMatch(/^ *semantic scored highest: token-f1 1\.000 over 12 questions of 3 conversations\./);
    expect(verdict).toContain('Every score is given this bank');
    expect(verdict).toContain('Planned before the run: token-f1, semantic against bm25.');
    expect(verdict).toContain('full-history 1.000: 1 reference, never ranked.');
    expect(verdict).toContain('On its own semantic would have cost $0.00 for this load');
  });

  it('OB-4 give every number with its denominator, and every chart its numbers in a table', () => {
    for (const id of ['causes', 'arms', 'differences', 'recall', 'abstention']) {
      const markup = sections.get(id) as string;
      const charts = markup.match(/<figure>/g)?.length ?? 0;
      expect(charts).toBeGreaterThan(0);
      for (const room of ['wide', 'narrow'])
        expect(markup.match(new RegExp(`<div class="${room}"><svg[^>]* role="img"`, 'g'))).toHaveLength(charts);
      expect(markup.match(/<figure>[\s\S]*?<table>[\s\S]*?<\/figure>/g)).toHaveLength(charts);
    }
    expect(text(sections.get('causes'))).toContain('none 3 9 12 25 %');
    expect(text(sections.get('arms'))).toContain('arm token-f1 n=12 coverage bm25 0.550 ');
    expect(text(sections.get('abstention'))).toContain('none 0.000 9 9 (100 %) 9 3 (100 %) 3 ');
    expect(text(sections.get('abstention'))).toContain('always abstaining – – 100 % – 100 % –');
  });

  it('RT-1 RP-8 set references and twins below a rule, and mark them in words', () => {
    const arms = text(sections.get('arms'));
    expect(arms).toMatch(/semantic .*none .*semantic-aa semantic once more .*full-history reference/);
    const rows = [...(sections.get('arms') as string).matchAll(/<tr( class="rule")?>.*?<\/tr>/g)];
    const ruled = rows.filter(([, rule]) => rule !== undefined).map(([row]) => text(row));
    expect(ruled.every((row) => row.trim().startsWith('semantic-aa'))).toBe(true);
    expect(ruled).toHaveLength(3);
  });

  it('RP-3 RP-8 tell planned differences from exploratory ones in words and shape, beside the noise floor', () => {
    const markup = sections.get('differences') as string;
    const shown = text(markup);
    expect(shown).toMatch(/semantic − bm25 planned \+0\.450/);
    expect(shown).toMatch(/none − bm25 exploratory −/);
    expect(shown).toContain(
      'Noise floor: run twice, semantic scored 3 of 12 questions otherwise, by −0.100 in the mean',
    );
    expect(shown).toContain('Grey band: the noise floor');
    expect(markup).toContain('planned before the run</text>');
    expect(shown).toContain('smallest possible');
    expect(markup).toContain('href="#right=semantic&amp;wrong=bm25"');
  });

  it('RT-4 show evidence recall by k and by tokens, of the arms that rank', () => {
    const recall = text(sections.get('recall'));
    expect(recall).toContain('k = 1 k = 2 k = 3 k = 5 k = 10 coverage questions bm25 1.000');
    expect(recall).toContain('500 tokens 1000 tokens 2000 tokens coverage');
    expect(recall).not.toContain('full-history');
  });

  it('categories and conversations stand as tables whose cells are shaded and numbered', () => {
    const categories = sections.get('categories') as string;
    expect(text(categories)).toContain('arm adversarial n=3 single-hop n=6 temporal n=3 bm25 1.000 0.100 1.000');
    expect(categories).toMatch(/style="--level:\s?1\.000/);
  });
});

describe('RP-5 the findings of a poor run', () => {
  it('OB-4 FX-6 say that it is not complete and what was lost, before anything else', async () => {
    const sections = await sectionsOf({ row: ({ arm, index }) => (arm === 'semantic' && index === 0 ? 'lost' : 1) });
    const verdict = text(sections.get('verdict'));
    expect(verdict).toMatch(/^ *Read with caution\. The run is incomplete/);
    expect(verdict).toContain('semantic lost 1 of 4 rows to the provider or the budget');
    expect(text(sections.get('causes'))).toContain('lost (provider, budget)');
  });

  it('RP-3 RS-4 of several datasets show each under its name, hostile ones as text, and pool none', async () => {
    const sections = await sectionsOf({
      fixtures: [
        { id: 'a', dataset: 'left', questions: 2 },
        { id: 'b', dataset: `right ${HOSTILE}`, questions: 2 },
      ],
      row: ({ fixture, arm }) => (fixture === 'a' ? 1 : arm === 'bm25' ? 0.2 : 0.4),
    });
    for (const id of ['verdict', 'causes', 'arms', 'differences', 'recall', 'categories', 'abstention'])
      expect(sections.get(id)).toMatch(/<h3><bdi[^>]*>left<[\s\S]*<h3><bdi[^>]*>right &lt;script>/);
    expect(text(sections.get('arms'))).not.toContain('0.600');
  });

  it('a run of one arm has nothing to compare, and says so', async () => {
    const sections = await sectionsOf({ arms: ['bm25'] });
    expect(text(sections.get('differences'))).toContain('No arms are compared: there is nothing to compare');
    expect(text(sections.get('verdict'))).toContain('bm25 is the only arm that is ranked');
  });
});
