import { keptVectors } from '../../bank/pending-vectors.js';
import { readState } from '../../bank/state-file.js';
import type { VectorBankFile, VectorBankIdentity, VectorRecording } from '../../bank/vector-bank.js';
import { findVectorBank } from '../../bank/vector-bank-folder.js';
import { type Digest, shortDigest } from '../../core/digest.js';
import { bankRefused } from '../../core/errors.js';
import type { Fixture, FixtureOutline } from '../../fixture/fixture.js';
import type { Question } from '../../fixture/question.js';
import { pathInMatrix } from '../../matrix/load-matrix.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import type { RecallUnit } from '../../memory/memory.js';
import { queryTextDigest } from '../../memory/query-preparation/query-identity.js';
import type { BeliefState } from '../../parity/parity.js';
import { usesVectors } from '../arm-needs.js';
import type { BankPlan } from '../formation/formation-bank.js';
import { type EmbeddingSize, embeddingSize } from '../vectors/embedding-size.js';
import { type EmbeddingSpace, embeddingSpace } from '../vectors/embedding-space.js';
import { whollyWithheld } from '../vectors/preparation-context.js';
import { beliefTexts, searchedTexts, turnTexts } from '../vectors/searched-texts.js';

/** A vector bank that fits, its header let go of: a run of many fixtures keeps this of each. */
export interface FoundVectors {
  readonly path: string;
  readonly digest: Digest;
  /** The questions that it pins, by the digests of their texts. */
  readonly queries: readonly Digest[];
}

/** What an interrupted recording has kept of a vector bank: it goes on from there. */
export interface KeptVectors {
  /** Texts, and the requests that they came in. */
  readonly items: number;
  readonly batches: number;
  /** Questions, by the digests of their texts. */
  readonly queries: readonly Digest[];
  /** Bytes of a torn last line, which is left out. */
  readonly torn_bytes: number;
}

/** What is to be done about the vectors of a fixture's beliefs or turns. */
export interface VectorPlan {
  readonly unit: RecallUnit;
  /** `embed`: for this run alone, without a bank. */
  readonly action: 'replay' | 'record' | 'embed';
  readonly found: FoundVectors | null;
  /** Vector banks of the fixture and unit that do not fit, with what differs. */
  readonly nearest: readonly { readonly digest: Digest; readonly differs: readonly string[] }[];
  /** Of a recording that is to go on; null where it begins, or nothing is recorded. */
  readonly kept: KeptVectors | null;
  /** How much is to be embedded, less what is kept; null where nothing is, and where the beliefs are still to be formed. */
  readonly size: EmbeddingSize | null;
}

/** What a vector bank is recorded from, and found by. */
export interface VectorSubject {
  readonly texts: readonly string[];
  readonly identity: VectorBankIdentity;
}

/**
 * Decides what to do about a fixture's vectors (VB-1): nothing is embedded, and nothing made. Where formation is still to be recorded, its
 * beliefs are not known, and their vectors count as to be recorded.
 *
 * @returns one plan a unit that arms search by vectors; none where nothing is prepared, or all of the fixture is withheld (SQ-7).
 * @throws exit 5: `VECTOR_BANK_NOT_FOUND` where the mode only replays and none fits, and what `findVectorBank` refuses.
 */
export async function planVectors(loaded: LoadedMatrix, plan: BankPlan): Promise<VectorPlan[]> {
  const space = embeddingSpace(loaded);
  if (space === null || whollyWithheld(loaded, plan.fixture.manifest) !== null) return [];
  const plans: VectorPlan[] = [];
  for (const unit of searchedUnits(loaded)) plans.push(await planUnit(loaded, plan, unit, space));
  return plans;
}

async function planUnit(
  loaded: LoadedMatrix,
  plan: BankPlan,
  unit: RecallUnit,
  space: EmbeddingSpace,
): Promise<VectorPlan> {
  const { fixture } = plan;
  const isOff = loaded.matrix.vector_banks.bank === 'off';
  if (unit === 'turns') {
    const size = fixture.turn_size;
    if (isOff) return { unit, action: 'embed', found: null, nearest: [], kept: null, size };
    return lookUpVectors(loaded, fixture, identityOf(unit, fixture.corpus, fixture.turn_texts, space), size);
  }
  // Beliefs that each cell forms for itself are no one's to share.
  const isOwn = plan.action === 'live' || plan.action === 'none';
  if (plan.found === null)
    return { unit, action: isOff || isOwn ? 'embed' : 'record', found: null, nearest: [], kept: null, size: null };
  const { path, bank } = plan.found;
  const { texts, identity } = beliefsOf(bank.state.digest, await readState(path, bank), space);
  const size = embeddingSize(texts);
  return isOff
    ? { unit, action: 'embed', found: null, nearest: [], kept: null, size }
    : lookUpVectors(loaded, fixture, identity, size);
}

/** Finds the vector bank of an identity, or says that one is to be recorded, of texts of this size. @throws as `planVectors`. */
export async function lookUpVectors(
  loaded: LoadedMatrix,
  fixture: FixtureOutline,
  identity: VectorBankIdentity,
  size: EmbeddingSize | null,
): Promise<VectorPlan> {
  const { vector_banks: settings } = loaded.matrix;
  const { unit } = identity;
  const folder = vectorBankFolder(loaded);
  const { id } = fixture.manifest;
  const lookup = await findVectorBank(folder, id, identity, settings.pinned[id]?.[unit] ?? null);
  if (lookup.found !== null)
    return { unit, action: 'replay', found: foundVectors(lookup.found), nearest: [], kept: null, size: null };
  const nearest = lookup.nearest.map(({ file, differs }) => ({ digest: file.header.digest, differs }));
  if (settings.bank === 'replay-only') throw notFound(id, unit, folder, nearest);
  const kept = await keptOf({ folder, fixture: id, identity });
  return { unit, action: 'record', found: null, nearest, kept, size: sizeOfRest(size, kept) };
}

async function keptOf(recording: VectorRecording): Promise<KeptVectors | null> {
  const content = await keptVectors(recording);
  if (content === null) return null;
  const { items, batches, queries, torn_bytes } = content;
  return { items: items.length, batches, queries: [...queries.keys()], torn_bytes };
}

/** Batches are filled from the front, so those behind the cursor are those that a recording from the start would come to. */
function sizeOfRest(size: EmbeddingSize | null, kept: KeptVectors | null): EmbeddingSize | null {
  if (size === null || kept === null) return size;
  return { texts: size.texts - kept.items, request_bytes: size.request_bytes.slice(kept.batches) };
}

/** What a plan keeps of a vector bank's file. */
export function foundVectors({ path, header }: VectorBankFile): FoundVectors {
  return { path, digest: header.digest, queries: header.queries.map(({ text }) => text) };
}

/** What the vectors of a state's beliefs are recorded from. */
export function beliefsOf(state: Digest, content: BeliefState, space: EmbeddingSpace): VectorSubject {
  return subject('beliefs', state, beliefTexts(content), space);
}

/** What the vectors of a history's turns are recorded from. */
export function turnsOf(fixture: Fixture, space: EmbeddingSpace): VectorSubject {
  return subject('turns', fixture.corpus, turnTexts(fixture.history), space);
}

function subject(unit: RecallUnit, source: Digest, all: readonly string[], space: EmbeddingSpace): VectorSubject {
  const { texts, digest } = searchedTexts(all);
  return { texts, identity: identityOf(unit, source, digest, space) };
}

function identityOf(unit: RecallUnit, source: Digest, texts: Digest, space: EmbeddingSpace): VectorBankIdentity {
  const { embedding, implementation, pricing } = space;
  return { unit, source, embedding, implementation, pricing, texts };
}

/** The folder of a matrix's vector banks. */
export function vectorBankFolder(loaded: LoadedMatrix): string {
  return pathInMatrix(loaded, loaded.matrix.vector_banks.directory);
}

/** The units that arms search by vectors, beliefs first. */
export function searchedUnits({ matrix }: LoadedMatrix): RecallUnit[] {
  const units = new Set(matrix.arms.filter(usesVectors).map(({ retrieval }) => retrieval.unit));
  return (['beliefs', 'turns'] as const).filter((unit) => units.has(unit));
}

/** The questions whose vectors no bank of the plans holds, nor a recording that goes on: they are prepared when they are asked. */
export function unpinnedQuestions(plans: readonly VectorPlan[], questions: readonly Question[]): Question[] {
  const pinned = new Set(plans.flatMap(({ found, kept }) => found?.queries ?? kept?.queries ?? []));
  return questions.filter((question) => !pinned.has(queryTextDigest(question)));
}

/** In words, why vectors are recorded: what differs, before anything is spent. */
export function whyVectorsRecorded(fixture: string, { unit, nearest, kept }: VectorPlan): string {
  if (kept !== null) {
    const torn = kept.torn_bytes === 0 ? '' : `; its last line was torn, and is left out (${kept.torn_bytes} bytes)`;
    return `${fixture}: going on with an interrupted recording of its ${unit}: ${kept.items} of their vectors are kept${torn}`;
  }
  if (nearest.length === 0) return `${fixture}: no vector bank of its ${unit} yet; recording one`;
  return `${fixture}: no vector bank of its ${unit} fits, recording one (${differences(nearest)})`;
}

function differences(nearest: VectorPlan['nearest']): string {
  return nearest.map(({ digest, differs }) => `${shortDigest(digest)} differs in ${differs.join(', ')}`).join('; ');
}

function notFound(fixture: string, unit: RecallUnit, folder: string, nearest: VectorPlan['nearest']): Error {
  const found = nearest.length === 0 ? 'there is none of this fixture' : differences(nearest);
  return bankRefused(
    'VECTOR_BANK_NOT_FOUND',
    `no vector bank in ${folder} fits the ${unit} of ${fixture}, and the matrix only replays: ${found}`,
    {
      remedy:
        'set `vector_banks: { bank: record-if-missing }` (without it, `formation.bank` decides): `recall-matrix record` records one alone, `run` records it and goes on; or embed for this run alone with `off`',
    },
  );
}
