import { shellWord } from '../../core/shell-word.js';
import { terminalLine } from '../../core/terminal-text.js';
import type { RunResult } from '../../experiment/experiment.js';
import type { ContrastResult } from '../comparison/comparison.js';
import { inSampleQuestions } from '../in-sample.js';

/** What a planned contrast came to. */
export type PlannedContrast = Pick<ContrastResult, 'head_arm' | 'base_arm' | 'verdict'>;

/**
 * The last two lines of a run (CL-1): what may not be concluded from it, the gravest first, in few words so that they mostly fit one line; and the command
 * that does what comes next.
 *
 * @param contrasts those that were planned, compared; null where the run could not be compared.
 */
export function conclusion(
  result: RunResult,
  contrasts: readonly PlannedContrast[] | null,
): { readonly not_concluded: string; readonly next: string } {
  const limits = [
    ...(result.status === 'complete' ? [] : [`anything final (${result.status})`]),
    ...(result.changed_labels.length === 0 ? [] : ['anything as planned (labels changed)']),
    ...openContrasts(result, contrasts),
    ...unfitArms(result),
    ...(result.replicates === 1 ? ['other banks'] : []),
    ...inSample(result),
    ...unreviewed(result),
  ];
  const listed = limits.length === 0 ? 'what was not planned' : limits.join('; ');
  return { not_concluded: `Not to be concluded: ${terminalLine(listed, 600)}`, next: `Next: ${nextCommand(result)}` };
}

/** Planned pairs that are not told apart, by what they are compared with. */
function openContrasts({ analysis }: RunResult, contrasts: readonly PlannedContrast[] | null): string[] {
  if (analysis.contrasts.length === 0) return ['which arm is better (no contrast was planned)'];
  if (contrasts === null) return ['any difference between arms (not compared)'];
  const open = new Map<string, Set<string>>();
  for (const { head_arm, base_arm, verdict } of contrasts) {
    if (verdict.kind === 'better' || verdict.kind === 'worse') continue;
    open.set(base_arm, (open.get(base_arm) ?? new Set()).add(head_arm));
  }
  return [...open].map(([base, heads]) => `${[...heads].join(', ')} vs ${base}`);
}

/** Arms that are as good as they look only where nothing went wrong with them. */
function unfitArms({ arms }: RunResult): string[] {
  const named = (why: string, fits: (arm: RunResult['arms'][number]) => boolean): string[] => {
    const names = arms.filter(fits).map(({ arm }) => arm);
    return names.length === 0 ? [] : [`anything of ${names.join(', ')} (${why})`];
  };
  return [
    ...named('degraded', ({ degraded }) => degraded),
    ...named('unpaired', ({ parity }) => parity === 'unpaired'),
    ...named('rows lost', ({ lost }) => lost > 0),
  ];
}

function inSample(result: RunResult): string[] {
  const count = inSampleQuestions(result);
  return count === 0 ? [] : [`${count} in-sample questions`];
}

function unreviewed({ formation }: RunResult): string[] {
  return formation.some(({ review }) => review !== 'reviewed') ? ['unreviewed labels'] : [];
}

function nextCommand({ resume, ledger, path }: RunResult): string {
  if (resume !== null) return resume;
  return `recall-matrix ${ledger.breached ? 'ledger' : 'report'} ${shellWord(path)}`;
}
