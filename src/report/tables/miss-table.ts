import type { ArmResult } from '../../experiment/experiment.js';
import { showScore } from '../number-text.js';
import { plainTable } from './table.js';

/** Wrong answers by cause (OB-6). Empty where there is none. */
export function showMisses(arms: readonly ArmResult[]): string {
  const [first] = arms;
  if (first === undefined || first.misses.scorer === null) return '';
  const causes = Object.keys(first.misses.causes) as (keyof ArmResult['misses']['causes'])[];
  const shown = causes.filter((cause) => arms.some(({ misses }) => misses.causes[cause] > 0));
  if (shown.length === 0) return '';
  const table = plainTable(
    [
      `wrong by ${first.misses.scorer} (below ${first.misses.below})`,
      'wrong',
      ...shown.map((cause) => cause.replaceAll('-', ' ')),
    ],
    arms.map(({ arm, misses }) => [
      arm,
      `${causes.reduce((sum, cause) => sum + misses.causes[cause], 0)}/${misses.n}`,
      ...shown.map((cause) => String(misses.causes[cause])),
    ]),
    [1, ...shown.map((_, index) => index + 2)],
  );
  const isOfBeliefs = arms.some(({ unit, misses }) => unit === 'beliefs' && misses.causes.misread > 0);
  return isOfBeliefs ? `${table}\n${MISREAD_OF_BELIEFS}` : table;
}

const MISREAD_OF_BELIEFS =
  'misread: of beliefs, one on each evidence turn was in the context; it may not state the answer';

/** The first score on answerable questions alone, and on the others (OB-6). Empty where the load has but one kind. */
export function showAnswerable(arms: readonly ArmResult[], scorer: string | undefined): string {
  if (scorer === undefined) return '';
  const most = (kind: 'answerable' | 'unanswerable'): number =>
    Math.max(0, ...arms.map((arm) => arm.by_answerable[kind][scorer]?.n ?? 0));
  if (most('answerable') === 0 || most('unanswerable') === 0) return '';
  return plainTable(
    [`${scorer} on`, `answerable (n=${most('answerable')})`, `unanswerable (n=${most('unanswerable')})`],
    arms.map(({ arm, by_answerable: by }) => [
      arm,
      showScore(by.answerable[scorer]?.mean),
      showScore(by.unanswerable[scorer]?.mean),
    ]),
    [1, 2],
  );
}
