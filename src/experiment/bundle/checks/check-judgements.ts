import { join } from 'node:path';
import type { Digest } from '../../../core/digest.js';
import { JudgementFile } from '../../judging/judgement-file.js';
import { RUN_FOLDER } from '../bundle-format.js';
import type { CheckedBundle } from './checked-bundle.js';

const JUDGEMENTS = `${RUN_FOLDER}/judgements.jsonl`;

/** What rows say that a judge held is what its verdicts say, and the score is what more than half of them hold (OB-7). */
export async function checkJudgements({ folder, record, findings, has }: CheckedBundle): Promise<void> {
  if (!has(JUDGEMENTS)) {
    if (Object.keys(record.matrix.judges).length > 0) findings.skipped('verdicts of judges', 'none are in the bundle');
    return;
  }
  const file = await findings.reading(JUDGEMENTS, () => JudgementFile.read(join(folder, JUDGEMENTS)));
  if (file === null) return;
  for await (const { rows } of record.cells())
    for (const { arm, question, judgements, scores } of rows)
      for (const [judge, { by, request, correct, verdicts }] of Object.entries(judgements)) {
        if (by !== 'judge') continue;
        findings.looked("judges' verdicts on rows");
        const where = `the judgement of ${judge} on ${question} under ${arm}`;
        const kept = file.verdictsOn(judge, request as Digest).filter(({ repeat }) => repeat <= verdicts);
        const right = kept.filter((verdict) => verdict.correct).length;
        findings.same(JUDGEMENTS, `${where}: verdicts`, kept.length, verdicts);
        findings.same(JUDGEMENTS, `${where}: correct ones`, right, correct);
        findings.same(JUDGEMENTS, `${where}: the score`, scores[`judge:${judge}`], Number(right * 2 > kept.length));
      }
}
