import { counted } from '../../core/counted.js';
import { shortDigest } from '../../core/digest.js';
import type {
  EvaluationBasis,
  LessonChangeDocument,
  LessonDocument,
  LessonHarvestDocument,
  LessonImportDocument,
  LessonListDocument,
  LessonReplayDocument,
  StateCounts,
} from '../../lessons/documents.js';
import type { Lesson, Transition } from '../../lessons/lessons.js';
import { showCauses } from './cause-table.js';
import { plainTable } from './table.js';

/** Lessons as people read them. */
export function showLessonList(list: LessonListDocument): string {
  const head = `${counted(list.lessons.length, 'lesson')}, ${counted(list.events, 'event')}`;
  return [head, ...(list.lessons.length === 0 ? [] : [lessonTable(list.lessons)]), basisLine(list)].join('\n');
}

/** One lesson: what it is about, what met it, and how it came where it is. */
export function showLesson({ lesson, trials, transitions, causes, ...basis }: LessonDocument): string {
  const { failure, stage, error_code, strategy, scope } = lesson.fingerprint;
  const outcomes = ({ successes, failures }: typeof trials.injected): string =>
    `${counted(successes, 'success', 'successes')}, ${counted(failures, 'failure')}`;
  return [
    `lesson ${lesson.lesson}`,
    `${lesson.state} since ${lesson.since}; first observed ${lesson.first_observed_at}`,
    `failure ${failure}${error_code === null ? '' : ` (${error_code})`}, stage ${stage}, strategy ${strategy ?? 'any'}`,
    `scope: asks ${scope.asks}, subjects ${scope.subjects.join(', ') || 'none'}, corpus ${shortDigest(scope.corpus)}`,
    `learnt from ${[...lesson.learnt_from, ...(lesson.is_imported ? ['elsewhere'] : [])].join(', ')}`,
    `eligible trials with it: ${outcomes(trials.injected)}; without it: ${outcomes(trials.not_injected)}`,
    transitionTable(transitions),
    showCauses(causes),
    basisLine(basis),
  ].join('\n');
}

/** Every transition, and the states that they lead to. */
export function showReplay(replay: LessonReplayDocument): string {
  return [
    `${counted(replay.transitions.length, 'transition')} ${replay.at === null ? 'of all events' : `until ${replay.at}`}`,
    ...(replay.transitions.length === 0 ? [] : [transitionTable(replay.transitions)]),
    ...(replay.lessons.length === 0 ? [] : [lessonTable(replay.lessons)]),
    `transitions ${replay.transitions_sha256}`,
    `projection  ${replay.projection_sha256}`,
    basisLine(replay),
  ].join('\n');
}

/** What one recorded event led to. */
export function showLessonChange(change: LessonChangeDocument): string {
  return [
    `event ${change.event} of ${change.at}${change.is_new ? '' : ', which the log had already'}`,
    change.transitions.length === 0 ? 'no lesson changed' : transitionTable(change.transitions),
    statesLine(change.states),
    basisLine(change),
  ].join('\n');
}

/** What an import added. */
export function showImport(imported: LessonImportDocument): string {
  const head = `${counted(imported.added, 'event')} added, ${imported.known} known`;
  return [head, statesLine(imported.states), basisLine(imported)].join('\n');
}

/** What each run gave. */
export function showHarvest(harvest: LessonHarvestDocument): string {
  const leftOut = (run: LessonHarvestDocument['runs'][number]): number =>
    Object.values(run.left_out).reduce((sum, count) => sum + count, 0);
  const table = plainTable(
    ['run', 'rows', 'failures', 'cause untold', 'left out', 'exposures', 'added', 'known'],
    harvest.runs.map((run) => [
      run.run,
      ...[run.rows, run.failures, run.untold, leftOut(run), run.exposures, run.added, run.known].map(String),
    ]),
    [1, 2, 3, 4, 5, 6, 7],
  );
  return [table, statesLine(harvest.states), basisLine(harvest)].join('\n');
}

/** What whoever harvests should know beside the result. */
export function harvestNotes(harvest: LessonHarvestDocument): string[] {
  return harvest.runs.flatMap(({ run, unfinished_cells, left_out, harvest_again }) => [
    ...(unfinished_cells === 0
      ? []
      : [`${run}: ${counted(unfinished_cells, 'cell')} not finished: resume the run, and harvest it again`]),
    ...Object.entries(left_out)
      .filter(([, count]) => count > 0)
      .map(([why, count]) => `${run}: ${counted(count, 'row')} left out: ${LEFT_OUT[why as keyof typeof left_out]}`),
    ...(harvest_again.length === 0
      ? []
      : [`${run} opened lessons that later runs may have met: harvest ${harvest_again.join(' ')} again`]),
  ]);
}

const LEFT_OUT: { readonly [Why in keyof LessonHarvestDocument['runs'][number]['left_out']]: string } = {
  oracle: 'their retrieval was handed labels',
  lost: "the provider lost them, which is not of the arm's making",
  unscored: 'no score says whether they are wrong',
  no_retrieval: 'their arm retrieves nothing',
  told_otherwise: 'the log tells of their trial already, as of another bank or reading',
};

function lessonTable(lessons: readonly Lesson[]): string {
  return plainTable(
    ['lesson', 'state', 'since', 'failure', 'strategy', 'asks', 'subjects'],
    lessons.map(({ lesson, state, since, fingerprint: { failure, error_code, strategy, scope } }) => [
      shortDigest(lesson),
      state,
      since,
      error_code === null ? failure : `${failure} ${error_code}`,
      strategy ?? 'any',
      scope.asks,
      scope.subjects.join(', '),
    ]),
  );
}

function transitionTable(transitions: readonly Transition[]): string {
  return plainTable(
    ['at', 'lesson', 'from', 'to', 'rule', 'evidence'],
    transitions.map(({ at, lesson, from, to, rule, lineage }) => [
      at,
      shortDigest(lesson),
      from ?? '–',
      to,
      rule,
      lineage.evidence.map((event) => shortDigest(event)).join(' '),
    ]),
  );
}

function statesLine(states: StateCounts): string {
  const parts = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  return `lessons: ${parts.join(', ') || 'none'}`;
}

function basisLine({ evaluator, rules, profile, profile_digest }: EvaluationBasis): string {
  return `by ${evaluator}, ${rules}, thresholds ${profile.name} ${profile.version} (${shortDigest(profile_digest)}), which are not calibrated`;
}
