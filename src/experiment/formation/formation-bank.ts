import type { Bank, BankFile, BankIdentity } from '../../bank/bank.js';
import { openBankFolder } from '../../bank/bank-folder.js';
import { readBankFile } from '../../bank/completed-banks.js';
import { openRecording, type Recording, type RecordingOptions } from '../../bank/recording-provider.js';
import { readState } from '../../bank/state-file.js';
import { type Digest, shortDigest } from '../../core/digest.js';
import { bankRefused } from '../../core/errors.js';
import type { Fixture, FixtureOutline } from '../../fixture/fixture.js';
import { pathInMatrix } from '../../matrix/load-matrix.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { pinnedBank } from '../../matrix/replicates.js';
import { builtInRuntime } from '../../memory/built-in-runtime.js';
import type { SealedState } from '../../parity/parity.js';
import { readBeliefState } from '../../parity/read-belief-state.js';
import { unsupportedReason } from '../../provider/supported-completion.js';
import type { CallAccount } from '../asking/call-account.js';
import { type BlockId, blockName, blockTitle } from '../block-id.js';
import type { ExaminedFixture } from '../examined-fixture.js';
import { resolvedModel } from '../providers.js';
import { formationOf, type Session, tell } from '../session.js';
import { findOrAwait, isInProgress, type RecorderWait } from './await-recorder.js';
import { formationSettings, storeMigrations } from './formation-settings.js';
import { withContinuation, withExactCommands } from './recording-commands.js';

/** What a fixture's cells are formed from. */
export type FixtureFormation =
  | {
      readonly kind: 'bank';
      readonly source: 'recorded' | 'replayed';
      readonly file: BankFile;
      readonly state: SealedState;
    }
  | { readonly kind: 'live' }
  | { readonly kind: 'none' };

/** A completed bank as a plan keeps it: a run of many fixtures does not hold the calls of all. */
export type FoundBank = Omit<BankFile, 'bank'> & { readonly bank: Omit<Bank, 'calls'> };

/** What is to be done about one of a fixture's banks, decided before anything is spent. */
export interface BankPlan {
  readonly fixture: ExaminedFixture;
  /** From 1 (FB-18). */
  readonly replicate: number;
  /** Null where there is no formation, or no bank. */
  readonly identity: BankIdentity | null;
  /** Without its calls: they are read again when the fixture is due. */
  readonly found: FoundBank | null;
  /** Completed banks of the fixture that do not fit, with what differs. */
  readonly nearest: readonly { readonly digest: Digest; readonly differs: readonly string[] }[];
  readonly action: 'replay' | 'record' | 'live' | 'none';
}

/** The block that a plan is of. */
export function blockOf({ fixture, replicate }: Pick<BankPlan, 'fixture' | 'replicate'>): BlockId {
  return { fixture: fixture.manifest.id, replicate };
}

/** What a bank must bind to serve a fixture under a matrix (FB-2), as one of its replicates. */
export function bankIdentity(
  loaded: LoadedMatrix,
  fixture: FixtureOutline,
  implementation: Digest,
  replicate: number,
): BankIdentity {
  const { policy, persistence, profile } = formationOf(loaded);
  const entry = loaded.matrix.providers[profile.provider];
  // The instant is no part of an identity, so any will do here.
  const model = resolvedModel(entry as NonNullable<typeof entry>, profile.model, '');
  return {
    corpus: fixture.corpus,
    owner: fixture.manifest.owner,
    policy,
    profile: {
      kind: model.kind,
      wire_api: model.wire_api,
      endpoint: model.endpoint,
      model: model.model,
      parameters: profile.parameters,
    },
    persistence,
    implementation,
    replicate,
  };
}

/** The folder of a matrix's banks. */
export function bankFolderOf(loaded: LoadedMatrix): string {
  return pathInMatrix(loaded, formationOf(loaded).formation_bank_directory);
}

/**
 * Decides what to do about one of a fixture's banks (FB-5, FB-12): nothing is sent, and nothing made.
 *
 * @param wait where given, another process that records this bank is waited for (FB-13).
 * @throws exit 5: `BANK_NOT_FOUND` where the mode only replays and none fits, `BANK_PINNED_*` where a pinned one is missing or does
 * not fit, `BANK_EXISTS` where the mode only records, and what the folder refuses (a changed bank, an interrupted recording).
 * @param isOwn whether an earlier session of the same run was to record it: found, it is replayed in every mode.
 */
export async function planBank(
  loaded: LoadedMatrix,
  { fixture, replicate }: Pick<BankPlan, 'fixture' | 'replicate'>,
  implementation: Digest,
  wait: RecorderWait | null = null,
  isOwn = false,
): Promise<BankPlan> {
  const { formation } = loaded.matrix;
  const block = { fixture, replicate };
  if (formation === null) return { ...block, identity: null, found: null, nearest: [], action: 'none' };
  if (formation.bank === 'off') return { ...block, identity: null, found: null, nearest: [], action: 'live' };
  const identity = bankIdentity(loaded, fixture, implementation, replicate);
  const { id } = fixture.manifest;
  const folder = openBankFolder(bankFolderOf(loaded));
  const wanted = { fixture: id, identity, pinned: pinnedBank(formation, id, replicate) };
  const looking = wait === null ? folder.find(id, identity, wanted.pinned) : findOrAwait(folder, wanted, wait);
  const lookup = await withExactCommands(looking, loaded, fixture);
  if (lookup.kind === 'found') {
    if (formation.bank === 'record-only' && !isOwn) throw bankExists(lookup.file);
    return { ...block, identity, found: withoutCalls(lookup.file), nearest: [], action: 'replay' };
  }
  const nearest = lookup.nearest
    .filter(({ file, differs }) => !isOtherReplicate(file, differs, formation.replicates))
    .map(({ file, differs }) => ({ digest: file.bank.digest, differs }));
  if (formation.bank === 'replay-only') throw bankNotFound(blockTitle(blockOf(block)), bankFolderOf(loaded), nearest);
  return { ...block, identity, found: null, nearest, action: 'record' };
}

/** The bank of another block of the same matrix is no bank that nearly fits this one. */
function isOtherReplicate({ bank }: BankFile, differs: readonly string[], replicates: number): boolean {
  return differs.length === 1 && differs[0] === 'replicate' && bank.identity.replicate <= replicates;
}

function withoutCalls({ bank: { calls: _calls, ...bank }, ...file }: BankFile): FoundBank {
  return { ...file, bank };
}

/** In words, why a fixture is recorded anew: what differs, before anything is spent. */
export function whyRecorded(plan: BankPlan): string {
  const title = blockTitle(blockOf(plan));
  if (plan.nearest.length === 0) return `${title}: no bank of this history yet; recording one`;
  const differences = plan.nearest.map(
    ({ digest, differs }) => `${shortDigest(digest)} differs in ${differs.join(', ')}`,
  );
  return `${title}: no bank fits, recording one (${differences.join('; ')})`;
}

/** Starts a recording, or goes on with one. */
export type OpenRecording = (options: RecordingOptions) => Promise<Recording>;

/**
 * Records a fixture's bank through the ledger, once (FB-1, FB-9). Where another process began a moment before, its bank is waited for and
 * replayed (FB-13), unless the matrix only records.
 *
 * @param account where the calls are added up, also those of a recording that fails.
 */
export async function recordBank(
  session: Session,
  fixture: Fixture,
  plan: BankPlan,
  account: CallAccount,
): Promise<FixtureFormation> {
  const { identity } = plan;
  if (identity === null) return { kind: 'none' };
  const formation = formationOf(session.loaded);
  const { id } = fixture.manifest;
  try {
    return await withExactCommands(
      recordThrough(session, fixture, plan, account, openRecording),
      session.loaded,
      fixture,
    );
  } catch (error) {
    if (!isInProgress(error) || formation.bank === 'record-only') throw error;
    const wanted = { fixture: id, identity, pinned: pinnedBank(formation, id, plan.replicate) };
    const looking = findOrAwait(openBankFolder(bankFolderOf(session.loaded)), wanted, session);
    const lookup = await withExactCommands(looking, session.loaded, fixture);
    // The other was done with it in between, and took it away.
    if (lookup.kind === 'none') throw error;
    return await replayBank(lookup.file);
  }
}

/** Forms through a recording that `open` gives, and seals it. */
export async function recordThrough(
  session: Session,
  fixture: Fixture,
  plan: BankPlan,
  account: CallAccount,
  open: OpenRecording,
): Promise<FixtureFormation> {
  const { identity } = plan;
  if (identity === null) return { kind: 'none' };
  const { profile, attempts } = formationOf(session.loaded);
  session.providers.throwIfRefused(profile);
  const { id } = fixture.manifest;
  const block = blockOf(plan);
  const attribution = { arm: null, stage: 'formation' as const, fixture: blockName(block), unit: 'formation' };
  const inner = session.providers.completions(profile, fixture, session.ledger, attribution, account.add);
  const database = await session.postgres.createScratch(await storeMigrations());
  try {
    const recording = await open({
      folder: bankFolderOf(session.loaded),
      fixture: id,
      identity,
      inner,
      attempts,
      retry: session.providers.retryRule(profile.provider),
      clock: session.clock,
      secrets: session.providers.secretValues,
      unsupportedReason,
    });
    const recorded = recording.record(async (provider) => {
      const runtime = builtInRuntime(database.runtime, { policy: session.userParts.policy });
      await runtime.form(
        fixture.history,
        formationSettings(session, fixture),
        provider,
        session.signal,
        (done, total) => tell(session, `recording ${blockTitle(block)}`, done, total),
      );
      return readBeliefState(database.admin);
    });
    const file = await withContinuation(recorded, recording.journalPath, session.loaded, fixture);
    const state = await sealedState(file);
    return { kind: 'bank', source: 'recorded', file, state };
  } finally {
    await database.drop();
  }
}

/** A found bank, with the state that it seals (ST-4). */
export async function replayBank(found: FoundBank): Promise<FixtureFormation> {
  const file = await readBankFile(found.path);
  // Its name says its digest, and a bank is never written twice (FB-10): only a hand could have put another there.
  if (file.bank.digest !== found.bank.digest)
    throw bankRefused('BANK_CHANGED', `${found.path} is another bank than when the run began`, {
      remedy: 'put the bank back, and run again',
    });
  return { kind: 'bank', source: 'replayed', file, state: await sealedState(file) };
}

async function sealedState(file: BankFile): Promise<SealedState> {
  return { state: await readState(file.path, file.bank), ...file.bank.state };
}

function bankExists(file: BankFile): Error {
  return bankRefused(
    'BANK_EXISTS',
    `${file.path} holds a completed bank of this identity, and the matrix only records`,
    {
      remedy: 'use `bank: record-if-missing`, or another folder with --bank-directory',
    },
  );
}

function bankNotFound(fixture: string, folder: string, nearest: BankPlan['nearest']): Error {
  const near = nearest.map(({ digest, differs }) => `${shortDigest(digest)} differs in ${differs.join(', ')}`);
  const found = near.length === 0 ? 'there is none of this history' : near.join('; ');
  return bankRefused('BANK_NOT_FOUND', `no bank in ${folder} fits ${fixture}, and the matrix only replays: ${found}`, {
    remedy:
      'set `formation.bank` to `record-if-missing`: `recall-matrix record` records it alone, `run` records it and goes on; or name another folder with --bank-directory',
  });
}
