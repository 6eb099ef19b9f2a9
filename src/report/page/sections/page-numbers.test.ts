import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { beforeAll, describe, expect, it } from 'vitest';
import { planOf } from '../../../../test/support/compared.js';
import { SAMPLE_CAUSE } from '../../../../test/support/observation-samples.js';
import { type PageTable, pageCell, pageTables, pageText } from '../../../../test/support/page-tables.js';
import { mean, overConversations, overQuestions, sum } from '../../../../test/support/plain-arithmetic.js';
import { type AskedRow, type RowValue, writeRecordedRun } from '../../../../test/support/recorded-run.js';
import type { Observation } from '../../../experiment/experiment.js';
import { openRunRecord } from '../../../experiment/reading/open-run-record.js';
import { reportModel } from '../report-model.js';
import { pageSections } from './sections.js';

const ARMS = ['bm25', 'semantic', 'full-history'];
const CONVERSATIONS = [5, 7, 4];
const CATEGORIES = ['single-hop', 'temporal', 'multi-hop'];
const CAUSES = ['never-formed', 'not-retrieved', 'cut-from-context', 'misread'] as const;
const READER: Readonly<Record<string, number>> = { bm25: 1200, semantic: 2300, 'full-history': 91_000 };
const isUnanswerable = (index: number): boolean => index % 4 === 3;

/** Neither round nor alike; every fate of a row is among them. */
function rowOf({ arm, index, conversation, repeat }: AskedRow): RowValue {
  const place = ARMS.indexOf(arm);
  const turn = (index * 7 + conversation * 5 + repeat * 3 + place * 4) % 11;
  const stage = (nano_usd: number) => ({ usage: null, nano_usd });
  const formation = arm === 'full-history' ? 0 : 50_000 + index;
  const costs = (reader: number) => ({
    attributed: {
      formation: stage(formation),
      index: stage(17),
      query: stage(3),
      reader: stage(reader),
      nano_usd: formation + 20 + reader,
    },
  });
  const outcome = (own_making: boolean) => ({ kind: 'failed' as const, cause: { ...SAMPLE_CAUSE, own_making } });
  const none = { answer: null, abstained: null, scores: { 'token-f1': null }, timings_ms: null };
  if (turn === 10) return { ...none, ...costs(0), outcome: outcome(place !== 1) };
  if (turn === 9 && place === 1) return { ...none, ...costs(0), outcome: outcome(false) };
  const abstained = isUnanswerable(index) ? turn > 4 : turn === 2;
  const score = isUnanswerable(index) ? Number(abstained) : abstained ? 0 : turn / 10;
  const item = (rank: number, sources: string[]) => ({ id: `b1.${rank}`, rank, score: 9 - rank, sources, tokens: 30 });
  return {
    scores: { 'token-f1': score },
    answer: abstained ? '' : `about ${turn}`,
    abstained,
    miss:
      score < 0.5 && !isUnanswerable(index) ? { cause: CAUSES[turn % 4] as (typeof CAUSES)[number], turns: [] } : null,
    retrieved:
      arm === 'full-history'
        ? []
        : [item(1, ['t:99']), item(2, [`t:${index + 1 + (turn % 2)}`]), item(3, [`t:${index + 1 + (turn % 3)}`])],
    ...costs((READER[arm] as number) + turn),
  };
}

const line = (arm: string | null, stage: string, sends: number, spent: number, held: number, uncertain: number) => ({
  arm,
  stage,
  sends,
  spent_nano_usd: spent,
  held_nano_usd: held,
  uncertain_nano_usd: uncertain,
});
const LINES = [
  line(null, 'formation', 7, 1_234_567, 0, 0),
  line('bm25', 'reader', 31, 45_001, 12, 12),
  line('semantic', 'reader', 30, 67_890_123, 99, 90),
];

let rows: Observation[];
let evidence: Map<string, string[]>;
let tables: PageTable[];
let ledger: string;

beforeAll(async () => {
  const path = await writeRecordedRun({
    arms: ARMS,
    repeats: 2,
    fixtures: CONVERSATIONS.map((count, place) => ({
      id: `c${place + 1}`,
      questions: Array.from({ length: count }, (_, index) => ({
        category: CATEGORIES[(index + place) % 3] as string,
        answerable: !isUnanswerable(index),
      })),
    })),
    row: rowOf,
    matrix: planOf([['semantic', 'bm25']]),
    result: {
      ledger: {
        limit_nano_usd: 500_000_000,
        spent_nano_usd: sum(LINES.map((one) => one.spent_nano_usd)),
        held_nano_usd: sum(LINES.map((one) => one.held_nano_usd)),
        uncertain_nano_usd: sum(LINES.map((one) => one.uncertain_nano_usd)),
        sends: sum(LINES.map((one) => one.sends)),
        breached: false,
        by_arm_and_stage: LINES,
      },
    },
  });
  const sections = await pageSections(await reportModel(await openRunRecord(path)));
  const html = new Map(sections.map(({ id, content }) => [id, renderToString(content as VNode)]));
  tables = pageTables([...html.values()].join(''));
  ledger = pageText(html.get('ledger') ?? '');
  rows = await linesBelow(join(path, 'arms'), '.observations.jsonl');
  const labels = await linesBelow<{ id: string; evidence: string[] }>(
    join(path, '..', '..', 'fixtures'),
    'questions.jsonl',
  );
  evidence = new Map(labels.map(({ id, evidence: turns }) => [id, turns]));
});

async function linesBelow<T = Observation>(folder: string, ending: string): Promise<T[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(ending)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter(Boolean)).map((text) => JSON.parse(text) as T);
}

const of = (arm: string): Observation[] => rows.filter((row) => row.arm === arm);
const isFailed = ({ outcome }: Observation): boolean => outcome.kind === 'failed' && outcome.cause?.own_making === true;
const isLost = (row: Observation): boolean => row.outcome.kind !== 'answered' && !isFailed(row);
const counted = (row: Observation): number => (isFailed(row) ? 0 : (row.scores['token-f1'] as number));

/** A question's mean over its rows, by question. */
function questionMeans(some: readonly Observation[], score = counted): Map<string, number> {
  const found = some.filter((row) => !isLost(row));
  const questions = new Set(found.map(({ question }) => question));
  return new Map(
    [...questions].map((question) => [question, mean(found.filter((row) => row.question === question).map(score))]),
  );
}

/** In their conversations. */
function grouped(questions: ReadonlyMap<string, number>): number[][] {
  const place = (question: string) => question.split('/')[0];
  const conversations = [...new Set([...questions.keys()].map(place))];
  return conversations.map((one) =>
    [...questions].flatMap(([question, value]) => (place(question) === one ? [value] : [])),
  );
}

const minus = (text: string): string => text.replaceAll('-', '−');
const shown = (value: number): string => minus(value.toFixed(3));
const signed = (value: number): string => (value > 0 ? `+${value.toFixed(3)}` : shown(value));
const share = (part: number, whole: number): string => `${Number(((100 * part) / whole).toFixed(1))} %`;
/** Of an amount on the page, whole nano-dollars. */
function nano(text: string): number {
  const [, dollars = '', parts = ''] = /^\$(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(dollars) * 1e9 + Number(parts.padEnd(9, '0'));
}
const cell = (caption: RegExp, row: string, column: RegExp): string => pageCell(tables, caption, row, column);

describe('RP-5 OB-4 every number of the page is that of the rows, reckoned again without the program', () => {
  it.each(ARMS)('RP-3 FB-18 the mean of %s over questions, its intervals and its denominators', (arm) => {
    const means = questionMeans(of(arm));
    const table = /^token-f1 of every arm/;
    const [these, fresh] = [overQuestions(grouped(means)), overConversations(grouped(means))];
    expect(cell(table, arm, /^mean/)).toBe(shown(mean([...means.values()])));
    expect(cell(table, arm, /^these/)).toBe(`[${shown(these.lo)}, ${shown(these.hi)}]`);
    expect(cell(table, arm, /^new/)).toBe(`[${shown(fresh.lo)}, ${shown(fresh.hi)}]`);
    expect(cell(table, arm, /^questions/)).toBe(`${means.size}`);
    expect(cell(table, arm, /^rows/)).toBe(`${of(arm).filter((row) => !isLost(row)).length}`);
  });

  it('RP-3 the planned difference, paired by question, with both intervals', () => {
    const [base, head] = [questionMeans(of('bm25')), questionMeans(of('semantic'))];
    const pairs = [...head].filter(([question]) => base.has(question));
    const differences = grouped(
      new Map(pairs.map(([question, score]) => [question, score - (base.get(question) as number)])),
    );
    const [these, fresh] = [overQuestions(differences), overConversations(differences)];
    const [table, row] = [/^Paired differences in token-f1/, 'semantic − bm25'];
    expect(cell(table, row, /^difference/)).toBe(signed(mean(differences.flat())));
    expect(cell(table, row, /^these/)).toBe(`[${signed(these.lo)}, ${signed(these.hi)}]`);
    expect(cell(table, row, /^new/)).toBe(`[${signed(fresh.lo)}, ${signed(fresh.hi)}]`);
    expect(cell(table, row, /^p$/)).toBe(fresh.p.toFixed(3));
    expect(cell(table, row, /^adjusted p/)).toBe(Math.max(fresh.p, these.p).toFixed(3));
    expect(pageText(tables.find(({ caption }) => table.test(caption))?.caption ?? '')).toContain(
      `${pairs.length} questions`,
    );
  });

  it.each(ARMS)('OB-6 what became of every row of %s', (arm) => {
    const table = /^What became of every row/;
    const own = of(arm);
    const answered = own.filter((row) => !isFailed(row) && !isLost(row));
    const right = answered.filter((row) => counted(row) >= 0.5).length;
    expect(cell(table, arm, /^right$/)).toBe(`${right}`);
    for (const cause of CAUSES)
      expect(cell(table, arm, new RegExp(`^${cause.replaceAll('-', ' ')}`))).toBe(
        `${answered.filter((row) => counted(row) < 0.5 && row.miss?.cause === cause).length}`,
      );
    expect(cell(table, arm, /^failed/)).toBe(`${own.filter(isFailed).length}`);
    expect(cell(table, arm, /^lost/)).toBe(`${own.filter(isLost).length}`);
    expect(cell(table, arm, /^rows/)).toBe(`${own.length}`);
    expect(cell(table, arm, /^right, of/)).toBe(share(right, own.length));
  });

  it.each(['bm25', 'semantic'])('RT-4 the evidence that the first k items of %s bring', (arm) => {
    const withEvidence = of(arm).filter(({ question }) => (evidence.get(question) as string[]).length > 0);
    const recall = (k: number) =>
      questionMeans(withEvidence, (row) => {
        if (isFailed(row)) return 0;
        const turns = row.retrieved.filter(({ rank }) => rank <= k).flatMap(({ sources }) => sources);
        const wanted = evidence.get(row.question) as string[];
        return wanted.filter((turn) => turns.includes(turn)).length / wanted.length;
      });
    const table = /^Evidence recall within the first k/;
    for (const k of [1, 2, 3, 10])
      expect(cell(table, arm, new RegExp(`^k = ${k}$`))).toBe(shown(mean([...recall(k).values()])));
    expect(cell(table, arm, /^coverage/)).toBe(shown(mean([...recall(99).values()])));
    expect(cell(table, arm, /^questions/)).toBe(`${recall(1).size}`);
  });

  it.each(ARMS)('RP-5 the mean of %s in each category and conversation', (arm) => {
    const across = (caption: RegExp, key: string, means: ReadonlyMap<string, number>) => {
      const table = tables.find((one) => caption.test(one.caption));
      const isDown = table?.rows.has(arm) === false;
      const [row, column] = isDown ? [key, arm] : [arm, key];
      const text = cell(caption, row, new RegExp(`^${column}\\b`));
      expect(text.split(' ')[0]).toBe(shown(mean([...means.values()])));
    };
    for (const category of CATEGORIES)
      across(/^Mean token-f1 by category/, category, questionMeans(of(arm).filter((row) => row.category === category)));
    for (const fixture of ['c1', 'c2', 'c3'])
      across(
        /^Mean token-f1 by conversation/,
        fixture,
        questionMeans(of(arm).filter((row) => row.fixture === fixture)),
      );
  });

  it.each(ARMS)('OB-6 what %s answered and declined', (arm) => {
    const table = /^Answerable and unanswerable/;
    const answered = of(arm).filter(({ outcome }) => outcome.kind === 'answered');
    const [can, cannot] = [answered.filter(({ answerable }) => answerable), answered.filter((row) => !row.answerable)];
    const means = questionMeans(of(arm).filter(({ answerable }) => answerable));
    const abstained = (some: readonly Observation[]) => some.filter((row) => row.abstained).length;
    expect(cell(table, arm, /^answerable: mean/)).toBe(shown(mean([...means.values()])));
    expect(cell(table, arm, /^questions/)).toBe(`${means.size}`);
    expect(cell(table, arm, /^wrongly/)).toBe(`${abstained(can)} (${share(abstained(can), can.length)})`);
    expect(cell(table, arm, /^of$/)).toBe(`${can.length}`);
    expect(cell(table, arm, /^rightly/)).toBe(`${abstained(cannot)} (${share(abstained(cannot), cannot.length)})`);
    expect(cell(table, arm, /^of unanswerable/)).toBe(`${cannot.length}`);
  });

  it.each(ARMS)(
    'OB-2 what %s costs alone, to the nano-dollar, once and a further question, and where it breaks even',
    (arm) => {
      const parts = (own: readonly Observation[], ...names: ('formation' | 'index' | 'query' | 'reader')[]) =>
        sum(own.flatMap(({ attributed }) => names.map((name) => attributed[name].nano_usd as number)));
      const once = (name: string) => parts(of(name), 'formation', 'index');
      const each = (name: string) => {
        const answered = of(name).filter(({ outcome }) => outcome.kind === 'answered');
        return parts(answered, 'query', 'reader') / answered.length;
      };
      const table = /^By arm: what it would have cost alone/;
      expect(nano(cell(table, arm, /^attributed/))).toBe(
        sum(of(arm).map(({ attributed }) => attributed.nano_usd as number)),
      );
      expect(nano(cell(table, arm, /^formation/))).toBe(parts(of(arm), 'formation'));
      expect(nano(cell(table, arm, /^index/))).toBe(parts(of(arm), 'index'));
      expect(nano(cell(table, arm, /^query/))).toBe(parts(of(arm), 'query'));
      expect(nano(cell(table, arm, /^reader/))).toBe(parts(of(arm), 'reader'));
      const fixed = /^Attributed cost of one bank/;
      expect(nano(cell(fixed, arm, /^once/))).toBe(once(arm));
      expect(nano(cell(fixed, arm, /^a further/))).toBe(Math.ceil(each(arm)));
      if (arm === 'full-history') return;
      let questions = 1;
      while (once(arm) + questions * each(arm) > once('full-history') + questions * each('full-history'))
        questions += 1;
      expect(questions).toBeGreaterThan(1);
      expect(cell(fixed, arm, /^breaks even/)).toBe(`${questions} questions`);
    },
  );

  it('LG-12 the lines of the ledger add up to what it says was spent, held and sent', () => {
    const table = tables.find(({ caption }) => caption.startsWith('Spent, held and uncertain'));
    const lines = [...(table?.rows.values() ?? [])];
    expect(lines).toHaveLength(LINES.length);
    const column = (name: string) => lines.map((cells) => cells[table?.head.indexOf(name) as number] as string);
    const total = (label: string) => nano(new RegExp(` ${label} (\\$[\\d.]+)`).exec(ledger)?.[1] ?? '');
    expect(sum(column('spent').map(nano))).toBe(total('spent'));
    expect(sum(column('held').map(nano))).toBe(total('held'));
    expect(sum(column('uncertain').map(nano))).toBe(total('of it uncertain'));
    expect(ledger).toContain(`sends ${sum(column('sends').map(Number))} `);
    expect(total('spent')).toBe(69_169_691);
  });
});
