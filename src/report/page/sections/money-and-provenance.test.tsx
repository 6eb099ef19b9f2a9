import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { type RecordedRunDescription, writeRecordedRun } from '../../../../test/support/recorded-run.js';
import { openRunRecord } from '../../../experiment/reading/open-run-record.js';
import { reportModel } from '../report-model.js';
import { costSection } from './cost-section.js';
import { LedgerSection } from './ledger-section.js';
import { ProvenanceSection } from './provenance-section.js';

const stage = (nano_usd: number | null) => ({ usage: null, nano_usd });
/** Dearer arms read more; `free` has no price. */
const READERS: Readonly<Record<string, number | null>> = {
  bm25: 2000,
  semantic: 4000,
  'full-history': 9000,
  free: null,
};

async function sectionsOf(description: RecordedRunDescription) {
  const model = await reportModel(await openRunRecord(await writeRecordedRun(description)));
  return {
    model,
    cost: renderToString(await costSection(model)),
    ledger: renderToString(<LedgerSection model={model} />),
    provenance: renderToString(<ProvenanceSection model={model} />),
  };
}

const PRICED: RecordedRunDescription = {
  arms: ['bm25', 'semantic', 'full-history', 'free'],
  row: ({ arm, index }) => {
    const reader = READERS[arm] ?? null;
    const score = arm === 'full-history' ? 1 : arm === 'semantic' ? Number(index > 0) : Number(index > 1);
    return {
      scores: { 'token-f1': score },
      attributed: {
        formation: stage(1000),
        index: stage(0),
        query: stage(0),
        reader: stage(reader),
        nano_usd: reader === null ? null : 1000 + reader,
      },
    };
  },
};

const text = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('RP-5 cost and quality', () => {
  it('RP-5 OB-2 draws priced arms, names those that none beats, and puts an arm without a price beside the chart, never at 0', async () => {
    const { cost } = await sectionsOf(PRICED);
    expect(text(cost)).toContain(
      'No ranked arm is both cheaper and better than bm25 ($0.003 for 1,000 questions) and semantic ($0.005 for 1,000 questions)',
    );
    expect(text(cost)).toContain(
      "their cost is not known: a model has no price, or a call's cost is unknown. That is not 0. free",
    );
    const [svg] = /<svg[\s\S]*?<\/svg>/.exec(cost) as RegExpExecArray;
    expect(svg).toContain('full-history');
    expect(svg).not.toContain('>free<');
    const row = /<tr[^>]*><th scope="row">free<\/th>(.*?)<\/tr>/.exec(cost)?.[1] as string;
    expect(text(row)).toContain('not known');
    expect(row).not.toContain('$0');
  });

  it('RP-5 OB-2 without any price the chart is of context tokens, never on an axis of money, and it says why', async () => {
    const { cost } = await sectionsOf({
      row: () => ({
        attributed: { formation: stage(null), index: stage(0), query: stage(0), reader: stage(null), nano_usd: null },
      }),
    });
    expect(text(cost)).toContain('The cost of no arm is known');
    expect(cost).toContain('context tokens of a question, median</text>');
    expect(cost).not.toContain('USD');
    expect(text(cost)).toContain('bm25 1.000 100 yes');
  });
});

describe('RP-5 the ledger', () => {
  it('OB-2 OB-3 LG-6 has attributed beside actual, spent and held by arm and stage, and what is uncertain', async () => {
    const sums = { sends: 2, spent_nano_usd: 700, held_nano_usd: 40, uncertain_nano_usd: 40 };
    const { model, ledger } = await sectionsOf({
      ...PRICED,
      result: {
        ledger: {
          limit_nano_usd: 1000,
          spent_nano_usd: 700,
          held_nano_usd: 40,
          uncertain_nano_usd: 40,
          sends: 2,
          breached: true,
          by_arm_and_stage: [{ arm: 'bm25', stage: 'reader', ...sums }],
        },
      },
    });
    const told = text(ledger);
    expect(told).toContain('limit $0.000001');
    expect(told).toContain('70 %');
    expect(told).toContain('A call cost more than its reservation');
    expect(told).toContain('$0.00000004 stay held for calls whose bill is not known');
    expect(told).toContain('bm25 reader 2 $0.0000007 $0.00000004 $0.00000004');
    // Four rows of the arm: 4 × 1,000 and 4 × 2,000 nano-dollars.
    expect(told).toMatch(/bm25 \$0\.000012 .* \$0\.000004 \$0\.00 \$0\.00 \$0\.000008/);
    expect(told).toContain('sessions that left no result');
    expect(model.result.arms.find(({ arm }) => arm === 'free')?.attributed_nano_usd).toBeNull();
    expect(told).toContain(
      '3 arms read beliefs that were formed once, in 1 call. Had each formed by itself, that would have been 2 calls more, at a cost that is not known',
    );
    expect(told).toContain('A replayed call is never a live one');
  });

  it('OB-2 what is known of no arm is said once, and fills no column', async () => {
    const stages = { formation: stage(null), index: stage(null), query: stage(0), reader: stage(null) };
    const { ledger } = await sectionsOf({
      row: () => ({ attributed: { ...stages, nano_usd: null } }),
      result: {},
    });
    const told = text(ledger);
    expect(told).toContain('Not known of any arm: attributed, formation, index and reader.');
    expect(told).toContain('arm actual uncertain query preparation bm25');
    expect(told).toContain('would cost of themselves is not known of any arm');
    expect(told).not.toContain('bm25 not known');
  });

  it('LG-12 RP-6 what a killed rescoring paid is said to be missing, and what one that ended paid is not', async () => {
    const started_at = '2026-01-01T00:00:00.000Z';
    const toldOf = async (finished_at: string | null) => {
      const sessions = [{ kind: 'rescore' as const, started_at, finished_at }];
      return text((await sectionsOf({ manifest: { sessions } })).ledger);
    };
    expect(await toldOf(null)).toContain('was killed: what it paid its judges is not in these figures');
    expect(await toldOf(started_at)).not.toContain('killed');
  });

  it('LG-12 a run that sent nothing says so', async () => {
    const { ledger } = await sectionsOf({});
    expect(text(ledger)).toContain('Nothing was reserved and nothing was sent');
  });
});

describe('RP-5 provenance', () => {
  it('ST-5 FX-6 has every digest whole, the versions, the prices with their dates, and what parity does not show', async () => {
    const { model, provenance } = await sectionsOf({
      matrix: {
        prices: {
          'reader-<b>': {
            model: 'reader-<b>',
            as_of: '2026-05-01',
            source: 'https://example.org/"><script>',
            tiers: [{ above_input_tokens: 0, input: '0.10', output: '0.40', cache_read: null, cache_write: null }],
          },
        },
      },
    });
    const { manifest, result, matrix } = model;
    const [fixture] = manifest.fixtures;
    const [formed] = result.formation;
    for (const digest of [
      manifest.matrix.digest,
      manifest.tool.program,
      manifest.tool.implementation,
      fixture?.corpus,
      fixture?.load,
      fixture?.labels,
      formed?.bank,
      formed?.state,
      matrix.reader.prompt.digest,
      manifest.prices_digest,
    ])
      expect(provenance).toContain(`<code class="digest">${digest}</code>`);
    const told = text(provenance);
    for (const words of [
      manifest.tool.node,
      manifest.postgres.version,
      '2026-05-01',
      '0.10',
      'not reviewed by a person',
      'extractive-reader-1',
    ])
      expect(told).toContain(words);
    expect(told).toContain('not that vectors are equal, nor that formation found every fact');
    expect(provenance).not.toContain('<script');
    expect(provenance).toContain('reader-&lt;b>');
  });
});
