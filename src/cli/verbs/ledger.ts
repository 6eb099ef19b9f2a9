import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { isCivilTime } from '../../core/civil-time.js';
import { invalidInput } from '../../core/errors.js';
import { type CliIo, print, printJson } from '../io.js';
import { withDatabase } from '../matrix-options.js';

interface LedgerFlags {
  readonly out: string;
  readonly json?: boolean;
  readonly databaseUrl?: string;
  readonly embeddings?: boolean;
  readonly owner?: { readonly tenant: string; readonly principal: string };
  readonly day?: string;
}

/** `ledger`: what a run spent and holds, by arm and stage; with --embeddings, what owners spent on embeddings in all runs. */
export function ledgerVerb(io: CliIo): Command {
  const command = new Command('ledger')
    .description("Show and verify a run's ledger: limit, spent, held, uncertain, by arm and stage.")
    .argument('[run]', 'a run id under --out, `latest`, or a run folder (default: latest)')
    .option('--out <folder>', 'where run folders lie', './runs')
    .option('--embeddings', "instead of a run's: what owners were charged for embeddings in all runs, by UTC day")
    .option('--owner <tenant/principal>', 'with --embeddings: of one owner', readOwner)
    .option('--day <day>', 'with --embeddings: of one UTC day, YYYY-MM-DD', readDay)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  $ recall-matrix ledger\n  $ recall-matrix ledger latest --json\n  $ recall-matrix ledger --embeddings --owner lab/ada --day 2026-03-01',
    );
  return withDatabase(command, io).action(async (run: string | undefined, flags: LedgerFlags) => {
    if (flags.embeddings) return showEmbeddings(io, run, flags);
    if (flags.owner !== undefined || flags.day !== undefined) {
      throw invalidInput('LEDGER_FLAGS', '--owner and --day choose among embeddings', { remedy: 'add --embeddings' });
    }
    return showRun(io, run ?? 'latest', flags);
  });
}

async function showRun(io: CliIo, run: string, flags: LedgerFlags): Promise<void> {
  const { findRun } = await import('../../experiment/find-run.js');
  const { readRunLedger } = await import('../../experiment/ledger-home.js');
  const { ledgerDocument, showLedger } = await import('../../report/tables/ledger-table.js');
  const folder = await findRun(resolve(io.workingFolder, flags.out), run);
  const { environment, clock, signal } = io;
  const report = await readRunLedger(folder, { environment, clock, signal, databaseUrl: flags.databaseUrl ?? null });
  if (flags.json) printJson(io, ledgerDocument(report));
  else print(io, showLedger(report));
}

async function showEmbeddings(io: CliIo, run: string | undefined, flags: LedgerFlags): Promise<void> {
  if (run !== undefined) {
    throw invalidInput('LEDGER_FLAGS', `--embeddings is of all runs, and ${run} is one`, {
      remedy: 'leave one of them out',
    });
  }
  const { keptSpending } = await import('../../experiment/owner-ledger/kept-spending.js');
  const { embeddingSpendDocument, showEmbeddingSpend } = await import('../../report/tables/embedding-ledger-table.js');
  const reach = { databaseUrl: flags.databaseUrl ?? null, clock: io.clock, signal: io.signal };
  const spend = await keptSpending(reach, { owner: flags.owner ?? null, day: flags.day ?? null });
  if (flags.json) printJson(io, embeddingSpendDocument(spend));
  else print(io, showEmbeddingSpend(spend));
}

function readOwner(text: string): { tenant: string; principal: string } {
  const [, tenant, principal] = /^([^/]+)\/(.+)$/.exec(text) ?? [];
  if (tenant === undefined || principal === undefined) throw new InvalidArgumentError('It is TENANT/PRINCIPAL.');
  return { tenant, principal };
}

function readDay(text: string): string {
  if (!isCivilTime(`${text}T00:00:00`)) throw new InvalidArgumentError('It is a day, YYYY-MM-DD.');
  return text;
}
