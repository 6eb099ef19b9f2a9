import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
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
    .command('longmemeval')
    .description('Import LongMemEval (longmemeval_oracle.json, _s or _m): a fixture a question.')
    .argument('<file>', 'the JSON file')
    .requiredOption('--out <folder>', 'made whole, with a fixture folder a question')
    .addOption(new Option('--limit <n>', 'read so many questions from the start').argParser(wholeNumber))
    .addOption(new Option('--questions <ids...>', 'import these questions alone').conflicts('limit'))
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  $ recall-matrix import longmemeval longmemeval_s.json --out ~/data/longmemeval-s --limit 50',
    )
    .action(async (file: string, flags: { out: string; limit?: number; questions?: string[]; json?: boolean }) => {
      const { importLongMemEval } = await import('../../fixture/importers/longmemeval.js');
      const { describeLongMemEval } = await import('../../fixture/importers/longmemeval-summary.js');
      const { limit, questions } = flags;
      const summary = await importLongMemEval({
        inputPath: resolve(io.workingFolder, file),
        outFolder: resolve(io.workingFolder, flags.out),
        ...(limit === undefined ? {} : { limit }),
        ...(questions === undefined ? {} : { questions }),
        signal: io.signal,
      });
      if (flags.json) printJson(io, summary);
      else for (const line of describeLongMemEval(summary)) print(io, line);
    });
  return command;
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 1.');
}
