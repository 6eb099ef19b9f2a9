import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CliIo } from '../io.js';
import { withDatabase, withMatrixParts } from '../matrix-options.js';
import { type SessionFlags, sessionAction } from '../session-action.js';

/** `bank expect`: what a bank's arms retrieve and are shown, written beside it by digest (RP-1). */
export function bankExpectVerb(io: CliIo): Command {
  const command = new Command('expect')
    .description(
      'Write beside a bank, by digest, what every arm of a matrix retrieves and is shown over it: `reproduce` compares with that where no run is given. Sends nothing; a reader in this process is asked where it searches itself, and an arm whose remote reader does is left out.',
    )
    .argument('<digest>', 'the digest of the bank, or its first 12 digits')
    .requiredOption('--matrix <file>', 'the matrix')
    .option(
      '--out <folder>',
      "where its rows and ledger are written (default: the matrix's `output.folder`, or ./runs)",
    )
    .addHelpText('after', '\nExample:\n  $ recall-matrix bank expect 0123456789ab --matrix matrices/quickstart.yaml');
  return withDatabase(withMatrixParts(command), io).action(
    async (digest: string, flags: SessionFlags & { readonly matrix: string }) => {
      const { expectBank } = await import('../../experiment/reproducing/expect-bank.js');
      const { showExpected } = await import('../../report/tables/reproduction-table.js');
      const matrixPath = resolve(io.workingFolder, flags.matrix);
      await sessionAction(io, flags, (options) => expectBank(digest, { ...options, matrixPath }), showExpected, {
        resumes: false,
      });
    },
  );
}
