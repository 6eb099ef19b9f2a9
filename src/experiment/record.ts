import type { Digest } from '../core/digest.js';
import { type ErrorKind, invalidInput, kindOf, messageOf } from '../core/errors.js';
import { openFileLedger } from '../ledger/file-ledger.js';
import { environmentOf } from '../matrix/environment.js';
import { openPostgres } from '../postgres/open.js';
import type { FormationResult, LedgerResult } from './experiment.js';
import { recordBank, replayBank, whyRecorded } from './formation-bank.js';
import { bankCost } from './formation-cost.js';
import { prepareRun, senders } from './prepare-run.js';
import { Providers } from './providers.js';
import type { RunOptions } from './run.js';
import { RunFolder } from './run-folder.js';
import { formationResult, ledgerResult } from './run-result.js';
import type { Session } from './session.js';

/** What `record --json` prints. */
export interface RecordResult {
  readonly format: 'record-result@1';
  /** Its ledger lies there: recording on its own opens an allowance of its own (LG-1). */
  readonly run: string;
  readonly path: string;
  readonly matrix: Digest;
  readonly status: 'complete' | 'incomplete';
  readonly formation: readonly FormationResult[];
  readonly ledger: LedgerResult;
  readonly problems: readonly { readonly fixture: string; readonly message: string }[];
}

/** Records the banks that a matrix's fixtures lack; those that fit are left alone. */
export async function recordMatrix(
  options: RunOptions,
): Promise<{ result: RecordResult; kinds: readonly ErrorKind[] }> {
  const { clock, signal, progress } = options;
  const prepared = await prepareRun(options.matrixPath, options.overrides);
  const { loaded } = prepared;
  if (prepared.plans.some(({ action }) => action === 'live' || action === 'none')) {
    throw invalidInput(
      'NOTHING_TO_RECORD',
      'the matrix has no banks: its formation is `none`, or its bank mode is off',
      {
        location: { file: loaded.path },
        remedy: 'use `bank: record-if-missing`',
      },
    );
  }
  const environment = await environmentOf(options.matrixPath, options.environment);
  const providers = Providers.create(loaded, senders(prepared, false), environment, clock);
  const postgres = await openPostgres({ databaseUrl: options.databaseUrl, clock, signal });
  try {
    const folder = await RunFolder.create(options.out, `record-${loaded.matrix.name}`, loaded.digest, clock);
    const ledger = await openFileLedger({
      path: folder.ledgerPath,
      mode: 'create',
      limit: BigInt(loaded.matrix.budget_nano_usd),
      clock,
      run: folder.id,
    });
    const session: Session = {
      loaded,
      clock,
      signal,
      ledger,
      postgres,
      providers,
      implementation: prepared.implementation,
      progress,
    };
    const formation: FormationResult[] = [];
    const problems: { fixture: string; message: string }[] = [];
    const kinds: ErrorKind[] = [];
    try {
      for (const plan of prepared.plans) {
        if (signal.aborted) break;
        const { fixture } = plan;
        try {
          if (plan.action === 'record') progress({ kind: 'note', text: whyRecorded(plan) });
          const formed = plan.found === null ? await recordBank(session, plan) : await replayBank(plan.found);
          const price =
            loaded.matrix.formation === null ? null : providers.price(loaded.matrix.formation.profile.model);
          const cost = formed.kind === 'bank' ? bankCost(formed.file.bank, price) : { usage: null, nano_usd: null };
          formation.push(
            formationResult({ fixture, formed, cost, outcomes: [], errors: [], questions: 0, labels: [] }),
          );
        } catch (error) {
          kinds.push(kindOf(error));
          problems.push({ fixture: fixture.manifest.id, message: messageOf(error) });
          progress({ kind: 'note', text: messageOf(error) });
        }
      }
      if (signal.aborted) kinds.push('interrupted');
      const result: RecordResult = {
        format: 'record-result@1',
        run: folder.id,
        path: folder.path,
        matrix: loaded.digest,
        status: formation.length === prepared.plans.length ? 'complete' : 'incomplete',
        formation,
        ledger: ledgerResult(ledger.totals()),
        problems,
      };
      await folder.writeManifest({ ...result, format: 'run@1', kind: 'record', started_at: clock.now() });
      return { result, kinds };
    } finally {
      await ledger.close();
    }
  } finally {
    await Promise.all([postgres.close(), providers.close()]);
  }
}
