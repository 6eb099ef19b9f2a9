import { invalidInput } from '../../core/errors.js';
import type { RunRecord } from '../../experiment/run-record.js';
import type { CompareOptions } from './compare-options.js';

/** What is compared by: the primary scorer first, where it is among them. */
export interface ChosenScorers {
  /** That head's matrix plans by. */
  readonly primary: string;
  readonly scorers: readonly string[];
  /** Those that one side alone has. */
  readonly left_out: readonly string[];
  /** Those that both have, where none was named: exploratory, and compared only where they are asked for. */
  readonly others: readonly string[];
}

/** @throws `COMPARE_UNKNOWN_SCORER` (exit 2): a side has no such score. */
export function chooseScorers(
  base: RunRecord,
  head: RunRecord,
  { scorers: asked, gated }: Pick<CompareOptions, 'scorers' | 'gated'>,
): ChosenScorers {
  const { primary } = head.matrix.analysis;
  const common = head.matrix.scoring.filter((name) => base.matrix.scoring.includes(name));
  const named = asked === 'primary' ? [primary] : asked === 'all' ? [primary, ...common] : asked;
  const wanted = [...new Set([...named, ...gated])];
  for (const name of wanted) {
    const lacking = [base, head].find(({ matrix }) => !matrix.scoring.includes(name));
    if (lacking === undefined) continue;
    throw invalidInput('COMPARE_UNKNOWN_SCORER', `the rows of ${lacking.run} have no score by ${name}`, {
      remedy:
        common.length === 0
          ? `score them: recall-matrix rescore ${lacking.run} --scorer ${name}`
          : `name one that both have (${common.join(', ')}), or score them: recall-matrix rescore ${lacking.run} --scorer ${name}`,
    });
  }
  const all = [...new Set([...base.matrix.scoring, ...head.matrix.scoring])];
  return {
    primary,
    scorers: [...wanted.filter((name) => name === primary), ...wanted.filter((name) => name !== primary)],
    left_out: typeof asked === 'string' ? all.filter((name) => !common.includes(name)) : [],
    others: asked === 'primary' ? common.filter((name) => !wanted.includes(name)) : [],
  };
}
