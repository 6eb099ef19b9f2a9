import type { BankFile } from '../../bank/bank.js';
import { openBankFolder } from '../../bank/bank-folder.js';
import { parseBankName } from '../../bank/bank-names.js';
import { identityDifferences } from '../../bank/identity-difference.js';
import { implementationDigest } from '../../bank/implementation-digest.js';
import { counted } from '../../core/counted.js';
import type { Digest } from '../../core/digest.js';
import { bankRefused, invalidInput } from '../../core/errors.js';
import { loadDigest } from '../../fixture/digests.js';
import type { Question } from '../../fixture/question.js';
import type { MatrixOverrides } from '../../matrix/load-matrix.js';
import { type ArmSettings, isRemote, type LoadedMatrix } from '../../matrix/matrix.js';
import { matrixDigest } from '../../matrix/resolve-matrix.js';
import { searchesVectors } from '../arm-needs.js';
import { bankFolderOf, bankIdentity } from '../formation/formation-bank.js';
import { unpinnedQuestions, vectorBankFolder } from '../planning/plan-vectors.js';
import { embedsKnown, lookedUpQuestions, type PreparedInput, type PreparedRun, vectorPlans } from '../prepare-run.js';
import type { KeptQueries } from '../vectors/past-queries.js';
import { loadMatrixAsFound, type OneFixture, prepareOneFixture } from './prepare-one-fixture.js';

/** A bank that was found by its digest, with its fixture, under a matrix that it binds. */
export interface BoundBank {
  readonly one: OneFixture;
  readonly file: BankFile;
  /** What the bank binds, each found equal. */
  readonly bindings: readonly string[];
}

const BINDINGS = ['corpus', 'owner', 'policy', 'profile', 'persistence', 'implementation'] as const;

/**
 * Finds a bank by its digest in a matrix's folder, and checks all that it binds against the matrix, the fixture and this program (RP-1).
 *
 * @param digest whole, or its first 12 digits and more.
 * @throws exit 5: `BANK_IDENTITY_DIFFERS`, naming every field that differs, and what `BankFolder.byDigest` throws; exit 2:
 * `NOTHING_TO_REPRODUCE` where the matrix has no banks, `FIXTURE_MISSING`.
 */
export async function boundBank(matrixPath: string, overrides: MatrixOverrides, digest: string): Promise<BoundBank> {
  const loaded = await loadMatrixAsFound(matrixPath, overrides);
  if (loaded.matrix.formation === null) {
    throw invalidInput('NOTHING_TO_REPRODUCE', 'the matrix has no banks: its formation is `none`', {
      location: { file: loaded.path },
      remedy: 'name a matrix whose formation has a bank',
    });
  }
  const file = await openBankFolder(bankFolderOf(loaded)).byDigest(digest);
  const one = await prepareOneFixture(loaded, parseBankName(file.path)?.fixture ?? '');
  const { identity } = file.bank;
  const expected = bankIdentity(loaded, one.fixture, implementationDigest(), identity.replicate);
  const differs = identityDifferences(identity, expected);
  if (differs.length === 0) return { one, file, bindings: BINDINGS };
  throw bankRefused(
    'BANK_IDENTITY_DIFFERS',
    `${file.path} does not bind ${one.fixture.manifest.id} under this matrix and program; it differs in ${differs.join(', ')}`,
    {
      remedy: differs.includes('implementation')
        ? 'reproduce it with the version that recorded it, or record anew'
        : 'restore the fixture and the matrix that it was recorded with',
      details: { bank: file.bank.digest, differs: differs.join(', ') },
    },
  );
}

/** An arm of a matrix. @throws `ARM_UNKNOWN` (exit 2). */
export function armOf({ matrix, locate }: LoadedMatrix, name: string): ArmSettings {
  const arm = matrix.arms.find((one) => one.name === name);
  if (arm !== undefined) return arm;
  throw invalidInput('ARM_UNKNOWN', `the matrix has no arm ${name}`, {
    location: locate(['arms']),
    remedy: `its arms are: ${matrix.arms.map((one) => one.name).join(', ')}`,
  });
}

/** The questions of a narrowed run, in order. */
export interface NarrowedLoad {
  readonly ids: readonly string[];
  readonly repeats: number;
}

/** The digest that rows of such a load carry; null where the fixture lacks one of its questions. */
export function digestOfLoad({ fixture }: OneFixture, { ids, repeats }: NarrowedLoad): string | null {
  const questions = ids.map((id) => fixture.questions.find((question) => question.id === id));
  return questions.includes(undefined) ? null : loadDigest(questions as Question[], repeats);
}

/**
 * Narrows a matrix to one fixture, its bank and some arms, for a run that sends nothing and scores nothing: no budget, no scorer (and so no
 * judge), and no bank but this one.
 */
export function narrowedInput(
  { one, file }: BoundBank,
  arms: readonly ArmSettings[],
  load: NarrowedLoad,
): PreparedInput {
  const { loaded, fixture } = one;
  const { matrix } = loaded;
  const { id } = fixture.manifest;
  const { digest, identity } = file.bank;
  const narrowed: LoadedMatrix['matrix'] = {
    ...matrix,
    budget_nano_usd: '0',
    fixtures: matrix.fixtures.filter((path) => path === one.folder),
    load: { questions: load.ids, categories: null, repeats: load.repeats, sample: null },
    formation:
      matrix.formation === null
        ? null
        : {
            ...matrix.formation,
            bank: 'replay-only',
            // A replicate's pin is known by its place.
            pinned: { [id]: new Array<Digest>(identity.replicate).fill(digest) },
          },
    arms,
    baseline: null,
    scoring: [],
    analysis: { ...matrix.analysis, contrasts: [] },
  };
  return {
    loaded: {
      ...loaded,
      matrix: narrowed,
      digest: matrixDigest(narrowed),
      ledger: { home: 'file', url_env: null },
    },
    fixtures: [fixture],
    replicates: [identity.replicate],
    selected: new Map([[id, load.ids]]),
    judgeLabels: new Map(),
  };
}

/**
 * Vectors that no bank holds are embedded for this run alone, where that is done in this process; a reproduction records nothing.
 *
 * @param kept what a past run knows of its questions, those of its readers' own among them (RT-8); null where there is no run.
 * @throws `VECTORS_NOT_BANKED` (exit 5) where they would have to be sent for.
 */
export function embeddingHere(banked: PreparedRun, kept: KeptQueries | null): PreparedRun {
  const prepared = kept === null ? banked : withPins(banked, [...kept.pinned, ...kept.missed.keys()]);
  const { query_preparation: preparation, providers } = prepared.loaded.matrix;
  const entry = preparation === null || preparation === 'off' ? undefined : providers[preparation.embedding.provider];
  const lacks = embedsKnown(prepared, true) || (kept === null && prepared.loaded.matrix.arms.some(searchesVectors));
  if (entry !== undefined && isRemote(entry) && lacks) {
    throw vectorsNotBanked(prepared);
  }
  const vectors = [...prepared.vectors].map(([block, plans]) => {
    const here = plans.map((plan) => (plan.action === 'record' ? { ...plan, action: 'embed' as const } : plan));
    return [block, here] as const;
  });
  return { ...prepared, vectors: new Map(vectors) };
}

function vectorsNotBanked(prepared: PreparedRun): Error {
  const plans = prepared.plans.map((plan) => ({ plan, units: vectorPlans(prepared, plan) }));
  const unit = plans.flatMap(({ units }) => units).find(({ action }) => action !== 'replay')?.unit;
  if (unit !== undefined) {
    return bankRefused('VECTORS_NOT_BANKED', `no vector bank holds the vectors of the ${unit}, and nothing is sent`, {
      remedy: `put their vector bank (*.vectors.bin) into ${vectorBankFolder(prepared.loaded)}, where the matrix's \`vector_banks\` look for it, and set \`bank\` there to anything but \`off\``,
    });
  }
  const lacking = plans.reduce((sum, { plan, units }) => {
    return sum + unpinnedQuestions(units, lookedUpQuestions(prepared, plan.fixture)).length;
  }, 0);
  return bankRefused(
    'VECTORS_NOT_BANKED',
    `neither a vector bank nor a named run says what became of the vectors of ${lacking === 0 ? "the reader's searches" : counted(lacking, 'question')}, and nothing is sent`,
    {
      remedy: 'name the run that asked them, with --against: its folder keeps their vectors, and which of them missed',
    },
  );
}

/** The questions that a past run pinned are there, as those that its vector banks pin. */
function withPins(prepared: PreparedRun, pinned: readonly Digest[]): PreparedRun {
  const vectors = [...prepared.vectors].map(([block, plans]) => {
    const here = plans.map((plan) => ({
      ...plan,
      found: plan.found === null ? null : { ...plan.found, queries: [...plan.found.queries, ...pinned] },
    }));
    return [block, here] as const;
  });
  return { ...prepared, vectors: new Map(vectors) };
}
