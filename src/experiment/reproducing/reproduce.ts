import { counted } from '../../core/counted.js';
import { type ErrorKind, invalidInput } from '../../core/errors.js';
import { type ArmSettings, isRemote, type LoadedMatrix } from '../../matrix/matrix.js';
import type { Observation } from '../asking/observation.js';
import type { RunResult } from '../experiment.js';
import { type RunOptions, withSession } from '../open-session.js';
import { planBanks } from '../prepare-run.js';
import type { Reproduction } from '../reproduction-document.js';
import { readCommittedRows } from '../resuming/committed-rows.js';
import { MatrixRun } from '../run.js';
import type { RunFolder } from '../run-folder.js';
import { newHistory } from '../run-history.js';
import type { RunLessons } from '../run-lessons.js';
import { keptQueries, missedBefore, type PastQueries } from '../vectors/past-queries.js';
import {
  armOf,
  type BoundBank,
  boundBank,
  digestOfLoad,
  embeddingHere,
  type NarrowedLoad,
  narrowedInput,
} from './narrowed-run.js';
import { type PastArm, pastArmOfBank, pastArmOfRun } from './past-arm.js';
import { isReplayable, NOT_REPLAYED, replayedReader } from './replayed-reader.js';
import { compareRows, type RowComparison } from './reproduction.js';

/** As many as a reader takes in; the rest are counted. */
const SHOWN_DIFFERENCES = 10;

/** What `reproduce` is told. */
export interface ReproduceOptions extends RunOptions {
  /** The bank's digest, or its first 12 digits and more. */
  readonly digest: string;
  readonly arm: string;
  /** A run id, `latest` or a folder; null compares with what lies beside the bank. */
  readonly against: string | null;
}

/** A run that sent nothing, with what it gave. */
export interface QuietRun {
  readonly folder: RunFolder;
  readonly result: RunResult;
  readonly rows: readonly Observation[];
  readonly server: string;
}

/**
 * Rebuilds a belief state from its bank, checks parity, runs one arm, and says field by field what equals its past (RP-1). Nothing is sent,
 * whatever the matrix's providers: a remote reader's answers are the past run's, where the exact request is equal.
 *
 * @throws what `boundBank`, `pastArmOfRun` and `pastArmOfBank` throw; exit 2 `REPRODUCE_LOAD_DIFFERS`, `REPRODUCE_NEEDS_RUN`.
 */
export async function reproduce(
  options: ReproduceOptions,
): Promise<{ readonly result: Reproduction; readonly kinds: readonly ErrorKind[] }> {
  const startedAt = options.clock.now();
  const bound = await boundBank(options.matrixPath, options.overrides, options.digest);
  const { loaded, fixture } = bound.one;
  const arm = armOf(loaded, options.arm);
  const readsHere = hasLocalReader(loaded);
  if (options.against === null && arm.recall === 'deliberate' && !readsHere) throw needsRun(arm, SEARCHED);
  if (options.against === null && arm.context !== undefined) throw needsRun(arm, TAUGHT);
  const wanted = {
    bank: { path: bound.file.path, digest: bound.file.bank.digest, replicate: bound.file.bank.identity.replicate },
    fixture: fixture.manifest.id,
    arm,
    matrix: loaded.matrix,
  };
  const out = options.out ?? loaded.output_folder ?? options.defaultOut;
  const past = await (options.against === null
    ? pastArmOfBank(wanted)
    : pastArmOfRun(out, options.against, wanted, options.lessons));
  const load = loadOf(bound, past);
  const given = {
    answered: readsHere ? null : answeredIn(past),
    queries: past.queries,
    lessons: past.lessons,
  };
  const quiet = await quietRun(options, bound, [arm], load, given);
  const { result, kinds } = reproduction(bound, arm, past, quiet, readsHere);
  // With its times, so that it has its place among the runs.
  await quiet.folder.writeManifest({ ...result, started_at: startedAt, finished_at: options.clock.now() });
  return { result, kinds };
}

/**
 * Runs arms over a bank, with no way to send.
 *
 * @param given what stands for what is not there: `answered`, rows whose answers stand for the reader's, where the exact request is equal (null lets the
 * matrix's own reader read); `queries`, what a past run kept of its questions: their vectors, and those that missed; `lessons`, those that it kept.
 */
export async function quietRun(
  options: RunOptions,
  bound: BoundBank,
  arms: readonly ArmSettings[],
  load: NarrowedLoad,
  given: {
    readonly answered: readonly Observation[] | null;
    readonly queries: PastQueries | null;
    readonly lessons: RunLessons | null;
  },
): Promise<QuietRun> {
  const { answered, queries, lessons } = given;
  const kept = queries === null ? null : await keptQueries(queries);
  const prepared = embeddingHere(await planBanks(narrowedInput(bound, arms, load), null), kept);
  const { loaded } = prepared;
  const use = { reads: true, sends: false, lessons, place: { kind: 'new', prefix: 'reproduce-' } } as const;
  return withSession(options, prepared, use, async (session, folder) => {
    if (answered !== null) session.providers.standIn(loaded.matrix.reader.provider, replayedReader(answered));
    const { id } = bound.one.fixture.manifest;
    if (queries !== null && kept !== null && kept.pinned.length > 0)
      await folder.takeOverQueryVectors(queries.vectors, id);
    for (const [text, miss] of kept?.missed ?? []) session.queries.missedOf(id).set(text, missedBefore(miss));
    const { result } = await new MatrixRun(session, prepared, folder, newHistory(loaded)).run();
    const block = { fixture: id, replicate: bound.file.bank.identity.replicate };
    const rows: Observation[] = [];
    for (const { name } of arms) {
      const committed = await readCommittedRows(folder, name, block);
      rows.push(...[...committed.rows.values()].sort((a, b) => a.position - b.position));
    }
    return { folder, result, rows, server: session.postgres.version };
  });
}

/** Whether the reader reads in this process, and so whenever it is asked. */
export function hasLocalReader({ matrix }: LoadedMatrix): boolean {
  const entry = matrix.providers[matrix.reader.provider];
  return entry !== undefined && !isRemote(entry);
}

/** Rows whose answers may stand for a reader's: none where it was another reader. */
function answeredIn({ rows, hasAnswers }: PastArm): Observation[] {
  return hasAnswers ? rows.flatMap(({ row }) => (row === null ? [] : [row])) : [];
}

/** The questions to ask: the matrix's, or those of the past where it asked others of the same fixture. */
function loadOf({ one }: BoundBank, past: PastArm): NarrowedLoad {
  const own = { ids: one.selected, repeats: one.loaded.matrix.load.repeats };
  if (past.load === null || digestOfLoad(one, own) === past.load) return own;
  const ids = [...new Set(past.rows.map(({ question }) => question))];
  const theirs = { ids, repeats: Math.max(...past.rows.map(({ repeat }) => repeat)) };
  if (digestOfLoad(one, theirs) === past.load) return theirs;
  throw invalidInput(
    'REPRODUCE_LOAD_DIFFERS',
    `the questions of ${one.fixture.manifest.id} are not those that were asked: their texts, times or subjects, or which of them`,
    { remedy: "restore the fixture's questions.jsonl and the matrix's load", location: { file: one.fixture.path } },
  );
}

function reproduction(
  { one, file, bindings }: BoundBank,
  arm: ArmSettings,
  past: PastArm,
  { folder, result: run, rows, server }: QuietRun,
  readsHere: boolean,
): { readonly result: Reproduction; readonly kinds: readonly ErrorKind[] } {
  const isReplayed = readsHere ? null : isReplayable(answeredIn(past));
  const compared = compareRows(past.rows, rows, past.hasAnswers, isReplayed);
  const summary = run.arms[0];
  const problems = run.problems.filter(({ code }) => code !== NOT_REPLAYED);
  const parity = summary?.parity;
  const unread = rows.filter(({ outcome }) => outcome.cause?.code === NOT_REPLAYED).length;
  const source = readsHere ? 'read' : rows.some(({ outcome }) => outcome.kind === 'answered') ? 'replayed' : 'none';
  const result: Reproduction = {
    format: 'reproduction@1',
    run: folder.id,
    path: folder.path,
    bank: file.bank.digest,
    fixture: one.fixture.manifest.id,
    arm: arm.name,
    against: past.source,
    bindings,
    state: {
      status: parity === 'equal' ? 'equal' : parity === 'changed' ? 'changed' : 'not-reached',
      digest: file.bank.state.digest,
    },
    questions: rows.length,
    retrieval: compared.retrieval,
    context: compared.context,
    answers: { source, ...compared.answers },
    differences: compared.differences.slice(0, SHOWN_DIFFERENCES),
    differences_in_all: compared.differences.length,
    not_compared: [...past.not_compared, ...notCompared(compared, unread, past, server)],
    server: { found: server, expected: past.server },
    ledger: run.ledger,
    problems,
  };
  // A local reader is deterministic, so its answers count; a remote one's are the past's own.
  const isEqual = compared.differences.length === 0;
  const kinds = problems.map(({ kind }) => kind as ErrorKind);
  return { result, kinds: isEqual ? kinds : [...kinds, 'difference'] };
}

function notCompared({ missing, unreplayed }: RowComparison, unread: number, past: PastArm, server: string): string[] {
  return [
    ...(missing === 0 ? [] : [`no row now of ${counted(missing, 'question')} of the past`]),
    ...(unreplayed === 0
      ? []
      : [
          `${counted(unreplayed, 'row')}: the reader searched otherwise at another repeat, or failed, and cannot be asked again`,
        ]),
    ...(unread === 0 || !past.hasAnswers
      ? []
      : [
          `${counted(unread, 'answer')}: the reader is remote, nothing is sent, and no past request is equal to theirs`,
        ]),
    ...(past.server === null || past.server === server
      ? []
      : [`the server: ${server} here, ${past.server} then; it may order ties otherwise`]),
  ];
}

const SEARCHED = {
  why: 'retrieves is what its reader searched for; the reader is remote, and nothing is sent',
  remedy: 'name a run that asked it, with --against: its searches are replayed',
};
const TAUGHT = {
  why: 'shows holds lessons, and a log says other things from day to day',
  remedy: 'name a run of it, with --against: its folder keeps the lessons that it was shown',
};

function needsRun({ name }: ArmSettings, { why, remedy }: typeof TAUGHT): Error {
  return invalidInput('REPRODUCE_NEEDS_RUN', `what the arm ${name} ${why}`, { remedy });
}
