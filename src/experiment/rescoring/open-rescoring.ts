import { environmentOf } from '../../matrix/environment.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { openPostgres } from '../../postgres/open.js';
import { ledgerHomeOf, ledgerUrl, openRunLedger } from '../ledger-home.js';
import { Providers } from '../providers.js';
import type { ContinueOptions } from '../resuming/continued-run.js';
import type { RunFolder } from '../run-folder.js';
import type { SendingSession } from '../session.js';

/** The run's ledger as it was found, and as it goes on. */
export interface RescoringBudget {
  readonly limit: bigint;
  readonly amendLimit: boolean;
}

/**
 * Opens what asking judges needs: their keys, and the run's own ledger, which is appended to (LG-1). A server is started only where that ledger lives in
 * the control database of one.
 *
 * @param senders aliases of the providers that are sent to: the variables of others are not read (MX-4).
 */
export async function withJudges<T>(
  options: ContinueOptions,
  {
    loaded,
    folder,
    senders,
  }: { readonly loaded: LoadedMatrix; readonly folder: RunFolder; readonly senders: readonly string[] },
  { limit, amendLimit }: RescoringBudget,
  work: (session: SendingSession) => Promise<T>,
): Promise<T> {
  const { clock, signal, progress } = options;
  const environment = await environmentOf(loaded.path, options.environment);
  const providers = Providers.create(loaded, senders, environment, clock);
  const place = { kind: 'continued' as const, folder, limit, amendLimit, uncertain: [] };
  const home = await ledgerHomeOf(place, loaded);
  const isOnServer = home.home === 'postgres' && ledgerUrl(home, environment) === null;
  const postgres = isOnServer ? await openPostgres({ databaseUrl: options.databaseUrl, clock, signal }) : null;
  try {
    const note = (text: string): void => progress({ kind: 'note', text });
    const ledger = await openRunLedger({ home, place, folder, loaded, environment, postgres, clock, note });
    try {
      options.onFolder(folder.path);
      return await work({ loaded, signal, ledger, providers, progress });
    } finally {
      await ledger.close();
    }
  } finally {
    await Promise.all([postgres?.close(), providers.close()]);
  }
}
