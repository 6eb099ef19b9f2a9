import { digestText } from '../../src/core/digest.js';
import type { KeptVerdict } from '../../src/experiment/judging/judgement-file.js';

/** A verdict as `judgements.jsonl` keeps it; `item` stands for its exact request. */
export function sampleVerdict(
  item: string,
  repeat: number,
  { judge = 'careful', ...said }: Pick<KeptVerdict, 'correct' | 'reason'> & { readonly judge?: string },
): KeptVerdict {
  return {
    format: 'judgement@1',
    judge,
    request: digestText(item),
    repeat,
    fixture: 'c1',
    question: 'c1/q1',
    ...said,
    usage: null,
    nano_usd: null,
    reported_models: ['judge-1'],
  };
}
