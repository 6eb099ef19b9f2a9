import { counted } from '../../core/counted.js';
import { terminalText } from '../../core/terminal-text.js';
import type { ArmResult, LessonPairs, RunResult } from '../../experiment/experiment.js';
import { inSampleQuestions } from '../in-sample.js';
import { showScore } from '../number-text.js';
import { plainTable } from './table.js';

/** What lessons had to do with a run: scores over the questions that they were learnt from stand apart (LE-6). */
export function showInjection({ lessons, arms }: RunResult, scorer: string | undefined): string {
  if (lessons === null || scorer === undefined) return '';
  const n = (part: 'in_sample' | 'out_of_sample'): number =>
    Math.max(0, ...arms.map((arm) => arm.lessons?.[part][scorer]?.n ?? 0));
  const mean = (arm: ArmResult, part: 'in_sample' | 'out_of_sample'): string =>
    showScore(arm.lessons?.[part][scorer]?.mean);
  const table = plainTable(
    [
      `${scorer} and lessons`,
      'rows with lessons',
      `in-sample (n=${n('in_sample')})`,
      `out-of-sample (n=${n('out_of_sample')})`,
    ],
    arms.map((arm) => [
      arm.arm,
      String(arm.lessons?.injected_rows ?? 0),
      mean(arm, 'in_sample'),
      mean(arm, 'out_of_sample'),
    ]),
    [1, 2, 3],
  );
  const questions = lessons.in_sample.flatMap((one) => one.questions);
  const sample =
    questions.length === 0
      ? 'No question of this run is one that they were learnt from.'
      : terminalText(`In-sample are the questions that they were learnt from: ${questions.join(', ')}.`);
  const unknown =
    lessons.of_unknown_origin === 0
      ? ''
      : ` Of ${counted(lessons.of_unknown_origin, 'lesson')} nobody knows what questions they were learnt from: other questions may be in-sample too.`;
  return `${table}\n\n${showPairs(lessons.pairs)}${counted(lessons.lessons, 'lesson')} verified or enforced; the thresholds that verify a lesson are not calibrated. ${sample}${unknown}`;
}

/** What lessons did, row by row; nothing where no arm has a twin. */
function showPairs(pairs: readonly LessonPairs[]): string {
  if (pairs.length === 0) return '';
  const table = plainTable(
    ['rows with lessons, beside the twin', 'score', 'in-sample', 'out-of-sample'],
    pairs.map(({ arm, twin, scorer, in_sample, out_of_sample }) => [
      `${arm} against ${twin}`,
      scorer,
      showCounts(in_sample),
      showCounts(out_of_sample),
    ]),
  );
  return `${table}\n\n`;
}

function showCounts({ n, better, worse }: LessonPairs['in_sample']): string {
  return n === 0 ? '–' : `${better} better, ${worse} worse of ${n}`;
}

/** What must be known of scores over all questions where some of them are in-sample; nothing where none is. */
export function inSampleNotes(result: Pick<RunResult, 'lessons'>): string[] {
  const count = inSampleQuestions(result);
  if (count === 0) return [];
  return [
    `In-sample: verified lessons were learnt from ${count} of the questions; scores over all questions hold them too, and stand apart below.`,
  ];
}
