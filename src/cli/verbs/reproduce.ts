import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CliIo } from '../io.js';
import { withDatabase, withMatrixParts } from '../matrix-options.js';
import { type SessionFlags, sessionAction } from '../session-action.js';

interface ReproduceFlags extends SessionFlags {
  readonly arm: string;
  readonly matrix: string;
  readonly against?: string;
}

/** `reproduce`: one arm from a bank by its digest, field by field; nothing is sent (RP-1). */
export function reproduceVerb(io: CliIo): Command {
  const command = new Command('reproduce')
    .description(
      'Reproduce one arm from a bank by its digest: check what the bank binds, rebuild the state, check parity, run the arm, and say field by field what equals a past run. Needs the bank with its state, the fixture and the matrix; no key. Sends nothing.',
    )
    .argument('<digest>', 'the digest of the bank, or its first 12 digits')
    .requiredOption('--arm <name>', 'the arm')
    .requiredOption('--matrix <file>', 'the matrix; fixtures of it that are not there are passed over')
    .option('--against <run>', 'a run id under --out, `latest`, or a run folder (default: what lies beside the bank)')
    .option(
      '--out <folder>',
      "where its rows and ledger are written (default: the matrix's `output.folder`, or ./runs)",
    )
    .addHelpText(
      'after',
      `
Examples:
  $ recall-matrix reproduce 0123456789ab --arm bm25 --matrix matrices/quickstart.yaml
  $ recall-matrix reproduce sha256:... --arm semantic --matrix my-matrix.yaml --against runs/my-run --json

Exit codes: 0 all that is deterministic is equal; 3 something differs; 5 the bank is refused; 6 the state differs.`,
    );
  return withDatabase(withMatrixParts(command), io).action(async (digest: string, flags: ReproduceFlags) => {
    const { reproduce } = await import('../../experiment/reproducing/reproduce.js');
    const { showReproduction } = await import('../../report/tables/reproduction-table.js');
    const told = { digest, arm: flags.arm, matrixPath: resolve(io.workingFolder, flags.matrix) };
    await sessionAction(
      io,
      flags,
      (options) => reproduce({ ...options, ...told, against: flags.against ?? null }),
      showReproduction,
      { resumes: false },
    );
  });
}
