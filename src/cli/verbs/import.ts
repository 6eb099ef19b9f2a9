import { resolve } from 'node:path';
import { Command } from 'commander';
import { invalidInput } from '../../core/errors.js';
import { type CliIo, print, printJson } from '../io.js';

/** `import`: public data sets into fixtures (FX-4). */
export function importVerb(io: CliIo): Command {
  const command = new Command('import').description('Turn a public data set into fixtures.');
  command
    .command('locomo')
    .description('Import LoCoMo (locomo10.json, or a part of it).')
    .argument('<file>', 'the JSON file')
    .requiredOption('--out <folder>', 'where the fixture folders are written')
    .option('--observations', 'write the published observations as a formation transcript', false)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  $ recall-matrix import locomo locomo10.json --out ~/data/locomo --observations',
    )
    .action(async (file: string, flags: { out: string; observations: boolean; json?: boolean }) => {
      const { importLocomo } = await import('../../fixture/importers/locomo.js');
      const { describeImport } = await import('../../fixture/importers/import-summary.js');
      const summary = await importLocomo({
        inputPath: resolve(io.workingFolder, file),
        outFolder: resolve(io.workingFolder, flags.out),
        observations: flags.observations,
      });
      if (flags.json) printJson(io, summary);
      else for (const line of describeImport(summary)) print(io, line);
    });
  command
    .command('longmemeval', { hidden: true })
    .argument('[arguments...]')
    .allowUnknownOption()
    .action(() => {
      throw invalidInput('NOT_BUILT_YET', '`import longmemeval` is not built yet', {
        remedy: 'docs/open-requirements.md lists what is still to come',
      });
    });
  return command;
}
