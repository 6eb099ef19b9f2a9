import { resolve } from 'node:path';
import { Command } from 'commander';
import { counted } from '../../core/counted.js';
import { type CliIo, print, printJson } from '../io.js';
import { type MatrixFlags, overridesOf, withMatrix } from '../matrix-options.js';

/** `validate`: every fault of a matrix and its fixtures, with its place; nothing is started. */
export function validateVerb(io: CliIo): Command {
  const command = new Command('validate')
    .description('Check a matrix and its fixtures. Starts nothing, sends nothing, needs no key.')
    .addHelpText('after', '\nExample:\n  $ recall-matrix validate matrices/quickstart.yaml');
  return withMatrix(command).action(async (matrix: string, flags: MatrixFlags) => {
    const { prepareInput } = await import('../../experiment/prepare-run.js');
    const { loaded, fixtures, selected } = await prepareInput(
      resolve(io.workingFolder, matrix),
      overridesOf(flags, io),
    );
    const questions = [...selected.values()].reduce((sum, ids) => sum + ids.length, 0);
    if (flags.json) {
      printJson(io, {
        format: 'validation@1',
        matrix: loaded.digest,
        fixtures: fixtures.map((fixture) => ({
          id: fixture.manifest.id,
          corpus: fixture.corpus,
          questions: selected.get(fixture.manifest.id)?.length ?? 0,
        })),
        arms: loaded.matrix.arms.map(({ name }) => name),
      });
      return;
    }
    print(
      io,
      `${loaded.matrix.name} is sound: ${counted(fixtures.length, 'fixture')}, ${counted(questions, 'question')}, ${counted(loaded.matrix.arms.length, 'arm')}`,
    );
    print(io, `matrix ${loaded.digest}`);
  });
}
