import { terminalLine } from '../../core/terminal-text.js';
import type { RunResult } from '../../experiment/experiment.js';
import { PARITY_SHOWS } from '../parity-words.js';

/** What parity found, what that shows and what not (ST-5), and where live formation gave arms other beliefs (FB-16). */
export function parityNotes(result: RunResult): string[] {
  const { arms } = result;
  const byStatus = new Map<string, string[]>();
  for (const { arm, parity } of arms) byStatus.set(parity, [...(byStatus.get(parity) ?? []), arm]);
  const found = [...byStatus].map(
    ([parity, names]) => `${parity} in ${byStatus.size === 1 ? 'every arm' : names.join(', ')}`,
  );
  return [
    `parity: ${found.join('; ')}. ${PARITY_SHOWS}`,
    ...(byStatus.has('unpaired')
      ? ['Unpaired arms formed their own beliefs: their differences mix formation with retrieval.']
      : []),
    ...liveDifferences(result),
  ];
}

function liveDifferences({ formation }: RunResult): string[] {
  return formation.flatMap(({ fixture, live_states }) =>
    (live_states ?? []).flatMap(({ arm, differs_from, difference }) =>
      difference === null
        ? []
        : [
            terminalLine(
              `${fixture}: ${arm} formed another state than ${differs_from}: first at ${difference.table} [${difference.record}], ${difference.field}`,
              600,
            ),
          ],
    ),
  );
}
