import { resolve } from 'node:path';
import { Command } from 'commander';
import { type CliIo, print, printJson } from '../io.js';

interface VerifyFlags {
  readonly extract?: string;
  readonly json?: boolean;
}

/** `verify-bundle`: checks what `export` made, elsewhere (RP-7). Needs the file alone; sends nothing, runs nothing of it. */
export function verifyBundleVerb(io: CliIo): Command {
  return new Command('verify-bundle')
    .description(
      'Check a bundle of somebody else: its seal, the digest of every file, that each digest of a row names what lies in it, that counts, means and sums are those of its rows and ledger, and that scores are those of its answers. Says what was checked, and what could not be. Needs nothing but the file.',
    )
    .argument('<file>', 'the bundle')
    .option(
      '--extract <folder>',
      'unpack it there when all is right, to reproduce, compare or report from it; must not exist',
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  $ recall-matrix verify-bundle quickstart.tar.gz
  $ recall-matrix verify-bundle quickstart.tar.gz --extract unpacked

Exit codes: 0 all that could be checked is right; 2 it is no bundle, was changed, or contradicts itself.`,
    )
    .action(async (file: string, flags: VerifyFlags) => {
      const { verifyBundle } = await import('../../experiment/bundle/verify-bundle.js');
      const { showVerification } = await import('../../report/tables/bundle-table.js');
      const to = flags.extract === undefined ? null : resolve(io.workingFolder, flags.extract);
      const result = await verifyBundle(resolve(io.workingFolder, file), to);
      if (flags.json) printJson(io, result);
      else print(io, showVerification(result));
    });
}
