import { BANK_LIMITS } from '../bank/bank.js';
import { implementationDigest } from '../bank/implementation-digest.js';
import type { Digest } from '../core/digest.js';
import { InvalidInputErrors, invalidInput, RecallMatrixError } from '../core/errors.js';
import type { FixtureOutline } from '../fixture/fixture.js';
import type { Question } from '../fixture/question.js';
import { selectQuestions } from '../fixture/select-questions.js';
import type { KnownParts } from '../matrix/check-matrix.js';
import { loadMatrix, type MatrixOverrides, pathInMatrix } from '../matrix/load-matrix.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
import { replicatesOf } from '../matrix/replicates.js';
import { LOCAL_EMBEDDING_MODEL } from '../provider/local/embedding.js';
import { LOCAL_FORMERS, LOCAL_READERS } from '../provider/local/local-models.js';
import { JUDGE_PRESETS, judgePreset } from '../scoring/judge/judge-presets.js';
import { judgeOf, parseScorerName, SCORER_NAMES } from '../scoring/scoring.js';
import { looksQuestionsUp, searchesVectors } from './arm-needs.js';
import { blockName } from './block-id.js';
import { type ExaminedFixture, examineFixture } from './examined-fixture.js';
import type { RecorderWait } from './formation/await-recorder.js';
import { type BankPlan, blockOf, planBank } from './formation/formation-bank.js';
import { type JudgeLabels, readJudgeLabels } from './judging/judge-labels.js';
import { planVectors, unpinnedQuestions, type VectorPlan } from './planning/plan-vectors.js';
import { checkOtherSystems } from './user-parts/check-other-systems.js';
import { isBarred } from './vectors/barred-question.js';

/** Sound input: everything that can be known before a server starts or a cent is reserved. */
export interface PreparedInput {
  readonly loaded: LoadedMatrix;
  /** Examined one at a time: their histories are loaded again when they are due. */
  readonly fixtures: readonly ExaminedFixture[];
  /** Those of each fixture that are due, from 1 (FB-18). */
  readonly replicates: readonly number[];
  /** Question ids by fixture, in the order asked. */
  readonly selected: ReadonlyMap<string, readonly string[]>;
  /** People's verdicts, by judge (OB-7). */
  readonly judgeLabels: ReadonlyMap<string, JudgeLabels>;
}

/** Input with its banks looked up. */
export interface PreparedRun extends PreparedInput {
  readonly implementation: Digest;
  /** One a block: fixture by fixture, and of each every replicate. */
  readonly plans: readonly BankPlan[];
  /** By the block's name: one a unit that arms search by vectors. */
  readonly vectors: ReadonlyMap<string, readonly VectorPlan[]>;
}

/** What a matrix can name of the rooms below. */
export const KNOWN_PARTS: KnownParts = {
  localFormers: LOCAL_FORMERS,
  localReaders: LOCAL_READERS,
  localEmbedders: [LOCAL_EMBEDDING_MODEL],
  judgePresets: { names: JUDGE_PRESETS, text: judgePreset },
  scorerProblem: (name) =>
    judgeOf(name) === null && parseScorerName(name) === null
      ? `there is no scorer ${name}; known: ${SCORER_NAMES.join(', ')} (K from 1 to 1000)`
      : null,
};

/**
 * Loads a matrix, checked against what this program knows.
 *
 * @param matrixPath absolute.
 * @throws {InvalidInputErrors} every fault of the matrix.
 */
export function prepareMatrix(matrixPath: string, overrides: MatrixOverrides): Promise<LoadedMatrix> {
  return loadMatrix(matrixPath, KNOWN_PARTS, overrides);
}

/**
 * Loads a matrix and its fixtures, and checks them together.
 *
 * @param matrixPath absolute.
 * @throws {InvalidInputErrors} every fault of the matrix; or, once that is sound, every fault of its fixtures.
 */
export async function prepareInput(matrixPath: string, overrides: MatrixOverrides): Promise<PreparedInput> {
  return prepareLoaded(await prepareMatrix(matrixPath, overrides));
}

/** The same for a matrix that was loaded already. */
export async function prepareLoaded(loaded: LoadedMatrix): Promise<PreparedInput> {
  const fixtures = await loadFixtures(loaded);
  const faults = [
    ...callFaults(loaded, fixtures),
    ...transcriptFaults(loaded, fixtures),
    ...pinFaults(loaded, fixtures),
  ];
  if (faults.length > 0) throw new InvalidInputErrors(faults);
  const selected = select(loaded, fixtures);
  await checkOtherSystems(loaded, fixtures, selected);
  return {
    loaded,
    fixtures,
    replicates: replicatesOf(loaded.matrix),
    selected,
    judgeLabels: await readJudgeLabels(loaded, fixtures),
  };
}

/**
 * The same, with what is to be done about each fixture's bank; exit 5 where a bank is refused.
 *
 * @param wait where given, a bank that another process records is waited for (FB-13).
 */
export async function prepareRun(
  matrixPath: string,
  overrides: MatrixOverrides,
  wait: RecorderWait | null = null,
): Promise<PreparedRun> {
  return planBanks(await prepareInput(matrixPath, overrides), wait);
}

/**
 * Looks the banks of sound input up.
 *
 * @param ownBanks names of blocks whose bank the run itself was to record: `record-only` is no reason to refuse those.
 */
export async function planBanks(
  input: PreparedInput,
  wait: RecorderWait | null,
  ownBanks: ReadonlySet<string> = new Set(),
): Promise<PreparedRun> {
  const implementation = implementationDigest();
  const plans: BankPlan[] = [];
  const vectors = new Map<string, readonly VectorPlan[]>();
  for (const fixture of input.fixtures) {
    for (const replicate of input.replicates) {
      const block = { fixture, replicate };
      const name = blockName(blockOf(block));
      const plan = await planBank(input.loaded, block, implementation, wait, ownBanks.has(name));
      plans.push(plan);
      vectors.set(name, await planVectors(input.loaded, plan));
    }
  }
  return { ...input, implementation, plans, vectors };
}

/** The provider aliases that an invocation can send to (MX-4): the reader's, and formation's where a bank is to be recorded or cells form live. */
export function senders(run: PreparedRun, reads: boolean): string[] {
  const { matrix } = run.loaded;
  const forms = run.plans.some(({ action }) => action === 'record' || action === 'live');
  return [
    ...(reads ? [matrix.reader.provider] : []),
    ...(forms && matrix.formation !== null ? [matrix.formation.profile.provider] : []),
    ...(reads ? Object.values(matrix.judges).map(({ provider }) => provider) : []),
    ...(embeds(run, reads) && matrix.query_preparation !== null && matrix.query_preparation !== 'off'
      ? [matrix.query_preparation.embedding.provider]
      : []),
  ];
}

/** Whether an invocation embeds anything: where all vectors are in banks, no model is loaded and no key is needed (VB-1). */
export function embeds(run: PreparedRun, reads: boolean): boolean {
  return embedsKnown(run, reads) || (reads && run.loaded.matrix.arms.some(searchesVectors));
}

/** The same of items and questions alone: nobody knows yet what a deliberate reader will search for (RT-8). */
export function embedsKnown(run: PreparedRun, reads: boolean): boolean {
  return run.plans.some((plan) => {
    const plans = vectorPlans(run, plan);
    if (plans.some(({ action }) => action === 'record' || (reads && action === 'embed'))) return true;
    return (
      reads &&
      plans.length > 0 &&
      unpinnedQuestions(plans, lookedUpQuestions(run, plan.fixture)).some(
        (question) => !isBarred(run.loaded, plan.fixture.manifest, question),
      )
    );
  });
}

/** What is to be done about a block's vectors. */
export function vectorPlans({ vectors }: PreparedRun, block: BankPlan): readonly VectorPlan[] {
  return vectors.get(blockName(blockOf(block))) ?? [];
}

/** The questions of a fixture whose vectors some arm looks up, in order: nothing is prepared of the others (SQ-2). */
export function lookedUpQuestions(run: PreparedInput, fixture: FixtureOutline): Question[] {
  if (!run.loaded.matrix.arms.some(looksQuestionsUp)) return [];
  const ids = new Set(run.selected.get(fixture.manifest.id) ?? []);
  return fixture.questions.filter(({ id }) => ids.has(id));
}

async function loadFixtures(loaded: LoadedMatrix): Promise<ExaminedFixture[]> {
  const fixtures: ExaminedFixture[] = [];
  const faults: RecallMatrixError[] = [];
  for (const folder of loaded.matrix.fixtures) {
    try {
      fixtures.push(await examineFixture(pathInMatrix(loaded, folder)));
    } catch (error) {
      if (error instanceof InvalidInputErrors) faults.push(...error.errors);
      else if (error instanceof RecallMatrixError && error.kind === 'invalid-input') faults.push(error);
      else throw error;
    }
  }
  if (faults.length > 0) throw new InvalidInputErrors(faults);
  return fixtures;
}

/** A history that needs more calls than a bank holds is refused before anything is sent (FB-8). */
function callFaults(loaded: LoadedMatrix, fixtures: readonly ExaminedFixture[]): RecallMatrixError[] {
  const { formation } = loaded.matrix;
  if (formation === null || formation.bank === 'off') return [];
  return fixtures.flatMap((fixture) => {
    const calls = fixture.batch_bytes.length;
    if (calls <= BANK_LIMITS.calls) return [];
    return [
      invalidInput(
        'HISTORY_TOO_LONG',
        `the history of ${fixture.manifest.id} needs ${calls} formation calls; a bank holds at most ${BANK_LIMITS.calls}`,
        {
          remedy: 'split the history into several fixtures, or use `formation: none` with arms over turns',
          location: { file: fixture.path },
        },
      ),
    ];
  });
}

function transcriptFaults(loaded: LoadedMatrix, fixtures: readonly ExaminedFixture[]): RecallMatrixError[] {
  const { formation, providers } = loaded.matrix;
  if (formation === null || providers[formation.profile.provider]?.kind !== 'transcript') return [];
  return fixtures
    .filter((fixture) => fixture.transcript_path === null)
    .map((fixture) =>
      invalidInput(
        'TRANSCRIPT_MISSING',
        `${fixture.manifest.id} has no formation.transcript.jsonl, and formation is a transcript`,
        {
          remedy: 'import it with --observations, or use another provider for formation',
          location: { file: fixture.path },
        },
      ),
    );
}

function pinFaults(loaded: LoadedMatrix, fixtures: readonly ExaminedFixture[]): RecallMatrixError[] {
  const ids = new Set(fixtures.map((fixture) => fixture.manifest.id));
  const pins = { formation: loaded.matrix.formation?.pinned ?? {}, vector_banks: loaded.matrix.vector_banks.pinned };
  return Object.entries(pins).flatMap(([key, pinned]) =>
    Object.keys(pinned)
      .filter((id) => !ids.has(id))
      .map((id) =>
        invalidInput('PIN_OF_NO_FIXTURE', `\`${key}.pinned\` names ${id}, and there is no such fixture`, {
          remedy: `the fixtures are: ${[...ids].join(', ')}`,
          location: loaded.locate([key, 'pinned', id]),
        }),
      ),
  );
}

/** Where the load's faults stand, but for those of `questions`. */
const LOAD_KEYS: { readonly [code: string]: string } = { UNKNOWN_CATEGORY: 'categories', SAMPLE_TOO_LARGE: 'sample' };

/** The load's faults, each placed where the matrix names what is wrong. */
function select(loaded: LoadedMatrix, fixtures: readonly ExaminedFixture[]): ReadonlyMap<string, readonly string[]> {
  try {
    return selectQuestions(fixtures, loaded.matrix.load);
  } catch (error) {
    if (!(error instanceof InvalidInputErrors)) throw error;
    throw new InvalidInputErrors(
      error.errors.map((fault) => fault.at(loaded.locate(['load', LOAD_KEYS[fault.code] ?? 'questions']))),
    );
  }
}
