import type { ArmResult, RunResult } from '../../experiment/experiment.js';
import { isForScale } from '../comparison/ranked-arms.js';
import { showNanoUsd } from '../money-text.js';
import { showConfidence, showScore } from '../number-text.js';
import { lookupMark } from './lookup-notes.js';
import type { Paint } from './paint.js';
import { plainTable } from './table.js';
import { COLUMNS } from './wrapped.js';

const GAP = 2;
/** What is left of a name at least, however wide the numbers are. */
const SHORTEST_NAME = 10;
/** What tells a name that was cut. */
const CUT = '…';

/** The arms of a run by its primary score, within 80 columns; what is never ranked stands below a rule. */
export interface ArmTable {
  readonly text: string;
  /** Names that did not fit are cut in the middle. */
  readonly has_cut_names: boolean;
  /** Its scores, in the order of the columns. */
  readonly scorers: readonly string[];
}

/** Makes the table of CL-1: unit, context tokens, the primary score with its interval, evidence recall, coverage, cost. */
export function armTable(result: RunResult, paint: Paint): ArmTable {
  const { primary, alpha } = result.analysis;
  const extra = extraScorers(result);
  const ranked = result.arms.filter((arm) => !isForScale(arm));
  const unranked = result.arms.filter(isForScale);
  const head = ['unit', 'tokens', 'score', showConfidence(alpha), ...extra.map(columnName), 'cost'];
  const rows = [
    ...ranked.map((arm) => cellsOf(arm, primary, extra)),
    ...scaleRow(result, extra),
    ...unranked.map((arm) => cellsOf(arm, primary, extra)),
  ];
  const room = roomForNames(head, rows);
  const [header = '', ...lines] = plainTable(
    ['arm', ...head],
    rows.map(([name, ...cells]) => [cutName(name, room), ...cells]),
    head.map((_, index) => index + 1).slice(1),
  ).split('\n');
  const above = lines
    .slice(0, ranked.length)
    .map((line, index) => (isDoubtful(ranked[index]) ? paint.warn(line) : line));
  const below = lines.slice(ranked.length).map(paint.faint);
  const rule = below.length === 0 ? [] : [paint.faint('─'.repeat(header.length))];
  return {
    text: [paint.heading(header), ...above, ...rule, ...below].join('\n'),
    has_cut_names: rows.some(([name]) => name.length > room),
    scorers: [primary, ...extra],
  };
}

function isDoubtful(arm: ArmResult | undefined): boolean {
  return arm !== undefined && (arm.degraded || arm.status !== 'complete');
}

type Row = readonly [name: string, ...cells: string[]];

function cellsOf(arm: ArmResult, primary: string, extra: readonly string[]): Row {
  const { lo, hi } = arm.score_details[primary] ?? { lo: null, hi: null };
  return [
    `${arm.arm}${arm.reference ? ' *' : ''}${lookupMark(arm)}`,
    arm.unit ?? '–',
    arm.context_tokens.p50 === null ? '–' : String(arm.context_tokens.p50),
    showScore(arm.scores[primary]),
    lo === null || hi === null ? '–' : `±${((hi - lo) / 2).toFixed(3)}`,
    ...extra.map((scorer) => showScore(arm.scores[scorer])),
    showNanoUsd(arm.attributed_nano_usd),
  ];
}

/** What abstaining from every question would score (OB-6). */
function scaleRow({ always_abstain, analysis }: RunResult, extra: readonly string[]): Row[] {
  const score = always_abstain[analysis.primary] ?? null;
  return score === null ? [] : [['(abstain always)', '–', '–', showScore(score), '–', ...extra.map(() => '–'), '–']];
}

/** Evidence recall at the first k that the matrix scores, and coverage, where it scores them. */
function extraScorers({ arms: [first], analysis: { primary } }: RunResult): string[] {
  const all = Object.keys(first?.scores ?? {});
  const recall = all.find((scorer) => /^evidence-recall@\d+$/.test(scorer));
  return [recall, all.find((scorer) => scorer === 'coverage')].filter(
    (scorer) => scorer !== undefined && scorer !== primary,
  ) as string[];
}

function columnName(scorer: string): string {
  return scorer.replace(/^evidence-/, '');
}

/** What the other columns leave of a line. */
function roomForNames(head: readonly string[], rows: readonly Row[]): number {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => (row[index + 1] ?? '').length)),
  );
  return Math.max(SHORTEST_NAME, COLUMNS - widths.reduce((sum, width) => sum + width + GAP, 0));
}

/** Cut in the middle: what axes add stands at the end, and tells arms apart. */
function cutName(name: string, room: number): string {
  if (name.length <= room) return name;
  const end = Math.floor((room - CUT.length) / 2);
  return `${name.slice(0, room - CUT.length - end)}${CUT}${name.slice(-end)}`;
}
