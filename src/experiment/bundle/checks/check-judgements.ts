import { join } from 'node:path';
import type { Digest } from '../../../core/digest.js';
import { JudgementFile } from '../../judging/judgement-file.js';
import type { CheckedBundle } from './checked-bundle.js';

/** What rows say that a judge held is what its verdicts say, and the score is what more than half of them hold (OB-7). */
export async function checkJudgements({ folder, record, paths, findings, has }: CheckedBundle): Promise<void> {
  const path = paths.judgementsPath;
  if (!has(path)) {
    if (Object.keys(record.matrix.judges).length > 0) findings.skipped('verdicts of judges', 'none are in the bundle');
    return;
  }
  const file = await findings.reading(path, () => JudgementFile.read(join(folder, path)));
  if (file === null) return;
  for await (const { rows } of record.cells())
    for (const { arm, question, judgements, scores } of rows)
      for (const [judge, { by, request, correct, verdicts }] of Object.entries(judgements)) {
        if (by !== 'judge') continue;
        findings.looked("judges' verdicts on rows");
        const where = `the judgement of ${judge} on ${question} under ${arm}`;
        const kept = file.verdictsOn(judge, request as Digest).filter(({ repeat }) => repeat <= verdicts);
        const right = kept.filter((verdict) => verdict.correct).length;
        findings.same(path, `${where}: verdicts`, kept.length, verdicts);
        findings.same(path, `${where}: correct ones`, right, correct);
        findings.same(path, `${where}: the score`, scores[`judge:${judge}`], Number(right * 2 > kept.length));
      }
}
