import type { YamlPath } from '../core/yaml-source.js';
import type { AuthoredMatrix } from './matrix-schema.js';

/** The judge that a scorer `judge:NAME` asks for; null for every other scorer. */
function judgeIn(scorer: string): string | null {
  return scorer.startsWith('judge:') ? scorer.slice('judge:'.length) : null;
}

/** Judges that are asked for and not configured, and judges that nothing asks for (OB-7). */
export function checkJudges(
  matrix: AuthoredMatrix,
  report: (path: YamlPath, code: string, message: string, remedy: string) => void,
): void {
  const names = Object.keys(matrix.judges);
  const asked = matrix.scoring.map(judgeIn);
  asked.forEach((name, index) => {
    if (name === null || Object.hasOwn(matrix.judges, name)) return;
    report(
      ['scoring', index],
      'JUDGE_UNKNOWN',
      `there is no judge ${name}`,
      `add it under \`judges\`; there are: ${names.join(', ') || 'none'}`,
    );
  });
  for (const name of names) {
    if (!asked.includes(name))
      report(
        ['judges', name],
        'JUDGE_NOT_ASKED',
        `no scorer asks the judge ${name}`,
        `add \`judge:${name}\` under \`scoring\`, or leave the judge out`,
      );
  }
}
