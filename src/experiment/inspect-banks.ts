import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BankFile } from '../bank/bank.js';
import { openBankFolder } from '../bank/bank-folder.js';
import { readBankFile } from '../bank/completed-banks.js';
import { readState } from '../bank/state-file.js';
import { abandonVectors, listPendingVectors } from '../bank/unfinished-vectors.js';
import type { VectorBankFile } from '../bank/vector-bank.js';
import { listVectorBanks, readVectorBankFile } from '../bank/vector-bank-folder.js';
import { isPendingVectorsName } from '../bank/vector-bank-names.js';
import type { Clock } from '../core/clock.js';
import { invalidInput } from '../core/errors.js';
import { loadPriceTable } from '../provider/price-table.js';
import { addUsage, NO_USAGE, type Usage } from '../provider/usage.js';
import type { BankAbandonment, BankDescription, BankListDocument, VectorBankDescription } from './documents.js';
import { bankCost, ownCost } from './formation/formation-cost.js';
import { jsonAmount } from './summary/amounts.js';

/** Refuses a path of the command line that does not exist: a mistyped folder must not look like an empty one (exit 2). */
export async function assertThere(path: string, what: 'bank' | 'bank folder'): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null) return;
  throw invalidInput('PATH_MISSING', `there is no ${what} ${path}`, {
    remedy:
      what === 'bank' ? '`recall-matrix bank list FOLDER` lists the banks of a folder' : 'name an existing folder',
    location: { file: path },
  });
}

/** Lists a bank folder: completed, interrupted, failed and broken. */
export async function listBanks(path: string): Promise<BankListDocument> {
  await assertThere(path, 'bank folder');
  const listing = await openBankFolder(path).list();
  const vectors = await listVectorBanks(path);
  const unfinished = await listPendingVectors(path);
  return {
    format: 'bank-list@1',
    path,
    banks: listing.completed.map((file) => describe(file, null)),
    vector_banks: vectors.completed.map((file) => describeVectors(file, null)),
    pending_vectors: unfinished.pending,
    pending: listing.pending,
    failed: listing.failed,
    broken: [...listing.broken, ...vectors.broken, ...unfinished.broken].map(({ path: file, error }) => ({
      path: file,
      code: error.code,
      message: error.message,
    })),
  };
}

/** Describes one bank, its state file checked; the attributed cost needs a price table. */
export async function describeBank(path: string, pricesPath: string | null): Promise<BankDescription> {
  await assertThere(path, 'bank');
  const file = await readBankFile(path);
  await readState(file.path, file.bank);
  const prices = pricesPath === null ? null : await loadPriceTable(pricesPath);
  const cost = bankCost(file.bank, prices?.get(file.bank.identity.profile.model) ?? null);
  return describe(file, cost.nano_usd);
}

/** Describes one vector bank, every byte checked; the attributed cost needs a price table. */
export async function describeVectorBank(path: string, pricesPath: string | null): Promise<VectorBankDescription> {
  await assertThere(path, 'bank');
  const file = await readVectorBankFile(path);
  const prices = pricesPath === null ? null : await loadPriceTable(pricesPath);
  const { usage, identity } = file.header;
  return describeVectors(file, ownCost(usage, prices?.get(identity.embedding.model) ?? null).nano_usd);
}

function describeVectors({ path, bytes, header }: VectorBankFile, attributed: bigint | null): VectorBankDescription {
  return {
    format: 'vector-bank-description@1',
    path,
    digest: header.digest,
    bytes,
    identity: header.identity,
    items: header.items.length,
    queries: header.queries.length,
    usage: header.usage,
    query_usage: sumOfUsages(header.queries),
    attributed_nano_usd: attributed === null ? null : jsonAmount(attributed),
    reported_models: header.reported_models,
  };
}

function sumOfUsages(parts: readonly { readonly usage: Usage | null }[]): Usage | null {
  return parts.reduce<Usage | null>(
    (sum, { usage }) => (sum === null || usage === null ? null : addUsage(sum, usage)),
    NO_USAGE,
  );
}

/** Moves an interrupted recording, of a bank or of vectors, to the failed ones (FB-9, VB-2). */
export async function abandonRecording(journal: string, reason: string, clock: Clock): Promise<BankAbandonment> {
  const moved_to = isPendingVectorsName(journal)
    ? await abandonVectors(journal, reason, clock.now())
    : await openBankFolder(dirname(journal)).abandon(journal, reason, clock.now());
  return { format: 'bank-abandonment@1', journal, reason, moved_to };
}

function describe({ path, bytes, bank }: BankFile, attributed: bigint | null): BankDescription {
  return {
    format: 'bank-description@1',
    path,
    digest: bank.digest,
    bytes,
    identity: bank.identity,
    calls: bank.call_count,
    attempts: bank.attempt_count,
    usage: sumOfUsages(bank.calls),
    attributed_nano_usd: attributed === null ? null : jsonAmount(attributed),
    reported_models: [
      ...new Set(bank.calls.flatMap(({ reported_model }) => (reported_model === null ? [] : [reported_model]))),
    ],
    state: bank.state,
    continues: bank.continues ?? null,
    recorded_at: bank.recorded_at,
  };
}
