import type { JudgementDetail } from '../questions/page-data.js';
import { countOf, data, element, lazyDetails, longData } from './dom.js';

/** What one judge made of an answer: how its verdicts fell, and its own words on each (OB-7). */
export function judgementPart({ judge, by, correct, verdicts, problem, said }: JudgementDetail): HTMLElement {
  const name = element('span', {}, 'Judge ', data(judge), ': ');
  if (by === 'rule') return element('p', {}, name, 'none was asked, an abstention is decided by rule');
  if (by === null)
    return element(
      'p',
      {},
      name,
      'no verdict',
      problem === null ? null : ': ',
      problem === null ? null : longData(problem),
    );
  return element(
    'div',
    { class: 'judgement' },
    element('p', {}, name, `correct by ${correct} of ${countOf(verdicts, 'verdict')}`),
    said.length === 0
      ? element('p', { class: 'note' }, 'The run folder does not hold its words.')
      : lazyDetails('What it said', () => [
          element(
            'ol',
            {},
            ...said.map(({ repeat, correct: isCorrect, reason }) =>
              element(
                'li',
                { value: repeat },
                element('strong', {}, isCorrect ? 'correct: ' : 'not correct: '),
                longData(reason),
              ),
            ),
          ),
        ]),
  );
}
