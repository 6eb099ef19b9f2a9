import { resolve } from 'node:path';
import { Command } from 'commander';
import type { ObservedRun } from '../../experiment/experiment.js';
import { type CliIo, print, printJson, say } from '../io.js';
import { holdLog, type LogFlags, withLog } from './lessons-log.js';

/** `lessons harvest`: the events of runs, into the log (LE-6). */
export function lessonsHarvestVerb(io: CliIo): Command {
  const command = new Command('harvest')
    .description(
      'Turn what runs observed into events: wrong answers by cause, and how each question met the lessons that are open. Harvesting a run twice adds nothing.',
    )
    .argument('[runs...]', 'run ids under --out, `latest`, or run folders (default: latest)')
    .option('--out <folder>', 'where run folders lie', './runs')
    .addHelpText(
      'after',
      `
Examples:
  $ recall-matrix lessons harvest
  $ recall-matrix lessons harvest runs/monday runs/tuesday --lessons lessons --json`,
    );
  return withLog(command).action(async (runs: readonly string[], flags: LogFlags & { readonly out: string }) => {
    const { findRun } = await import('../../experiment/find-run.js');
    const { openObservedRun } = await import('../../experiment/open-observed-run.js');
    const { harvestInto } = await import('../../lessons/harvest/harvest-into.js');
    const { harvestNotes, showHarvest } = await import('../../report/tables/lessons-table.js');
    const observed: ObservedRun[] = [];
    for (const run of runs.length === 0 ? ['latest'] : runs)
      observed.push(await openObservedRun(await findRun(resolve(io.workingFolder, flags.out), run, 'run@1')));
    const harvest = await holdLog(io, flags, (log) => harvestInto(log, observed));
    if (flags.json) printJson(io, harvest);
    else print(io, showHarvest(harvest));
    for (const note of harvestNotes(harvest)) say(io, note);
  });
}
