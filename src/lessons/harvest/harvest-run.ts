import { canonicalJson } from '../../core/canonical-json.js';
import type { ObservedFixture, ObservedRun } from '../../experiment/experiment.js';
import type { Question } from '../../fixture/question.js';
import type { LessonEvent, Trial } from '../lesson-event.js';
import { exposuresOf } from './exposures.js';
import { OpenLessons } from './open-lessons.js';
import { LEFT_OUT, type LeftOut, type TrialResult, trialResult } from './trial-result.js';

/** What a run gives to a log. */
export interface Harvest {
  readonly run: string;
  /** The time of its events: the start of the run, however often it was continued, so that harvesting it again gives the same ones. */
  readonly at: string;
  /** Some may be in the log already. */
  readonly events: readonly LessonEvent[];
  /** Rows that were looked at. */
  readonly rows: number;
  readonly failures: number;
  readonly exposures: number;
  /** Wrong answers whose cause nothing tells: failures of no lesson. */
  readonly untold: number;
  /** Rows that teach nothing, by why. `told_otherwise`: the log has their trial already, of another bank or reading. */
  readonly left_out: Readonly<Record<LeftOut | 'told_otherwise', number>>;
  /** Cells that are not finished: harvest the run again when they are. */
  readonly unfinished_cells: number;
  /** Later runs in the log that were asked about a corpus in which this run opened a lesson: they have to be harvested again to tell how they met it. */
  readonly harvest_again: readonly string[];
}

/**
 * The events of a run, in a fixed order: nothing but the run's files, its fixtures' questions and the log decides on them (LE-6). Cells are read one
 * after another, and nothing is kept of a row but what it showed.
 *
 * @param known the events of the log.
 */
export async function harvestRun(run: ObservedRun, known: readonly LessonEvent[]): Promise<Harvest> {
  const at = new Date(run.started_at).toISOString();
  const open = new OpenLessons(known, at);
  const tally = new Tally(run, known);
  const events: LessonEvent[] = [];
  const opened = new Set<string>();
  for (const fixtures of byCorpus(run.fixtures)) {
    const results: TrialResult[] = [];
    for (const fixture of fixtures) for await (const result of resultsOf(fixture, tally)) results.push(result);
    // What fails in a run is open in all of it, so that pairs of arms meet it alike.
    for (const { failure, trial } of results) {
      if (failure === null) continue;
      if (open.open(failure)) opened.add(trial.corpus);
      events.push({ format: 'lesson-event@1', at, kind: 'failure-observed', fingerprint: failure, trial });
    }
    const exposures = results.flatMap((result) => exposuresOf(result, open, at));
    events.push(...exposures);
    tally.exposures += exposures.length;
  }
  return { run: run.run, at, events, ...tally.result(), harvest_again: laterRuns(known, at, opened) };
}

function byCorpus(fixtures: readonly ObservedFixture[]): ObservedFixture[][] {
  const groups = new Map<string, ObservedFixture[]>();
  for (const fixture of fixtures) groups.set(fixture.corpus, [...(groups.get(fixture.corpus) ?? []), fixture]);
  return [...groups.values()];
}

async function* resultsOf(fixture: ObservedFixture, tally: Tally): AsyncGenerator<TrialResult> {
  for await (const { rows, is_finished } of fixture.cells()) {
    if (!is_finished) tally.unfinished_cells += 1;
    for (const row of rows) {
      const result = trialResult(row, tally.run, fixture.questions.get(row.question) as Question);
      if (tally.takes(result)) yield result;
    }
  }
}

function laterRuns(known: readonly LessonEvent[], at: string, opened: ReadonlySet<string>): string[] {
  const later = known.flatMap((event) =>
    'trial' in event && event.at > at && opened.has(event.trial.corpus) ? [event.trial.run] : [],
  );
  return [...new Set(later)].sort();
}

/** Counts what rows gave, and keeps out what would contradict the log. */
class Tally {
  exposures = 0;
  unfinished_cells = 0;
  #rows = 0;
  #failures = 0;
  #untold = 0;
  readonly #leftOut = new Map<string, number>();
  /** What the log says of the run's trials, by their places. */
  readonly #told = new Map<string, string>();
  readonly #seen = new Set<string>();

  constructor(
    readonly run: ObservedRun,
    known: readonly LessonEvent[],
  ) {
    for (const event of known) {
      if (!('trial' in event) || event.kind === 'guard-prevented' || event.trial.run !== run.run) continue;
      const outcome = event.kind === 'exposure' ? event.outcome : 'failure';
      this.#told.set(placeOf(event.trial), tellingOf(event.trial, outcome));
    }
  }

  takes(result: TrialResult | LeftOut): result is TrialResult {
    this.#rows += 1;
    if (typeof result === 'string') this.#leave(result);
    else if (this.#isToldOtherwise(result)) this.#leave('told_otherwise');
    else {
      if (result.failure !== null) this.#failures += 1;
      else if (result.outcome === 'failure') this.#untold += 1;
      return true;
    }
    return false;
  }

  /**
   * Whether another telling of the trial came first: a question that the budget refused, and that a raised limit let through later; or a fixture of the
   * same history with a question of the same id.
   */
  #isToldOtherwise({ trial, outcome }: TrialResult): boolean {
    const place = placeOf(trial);
    const telling = tellingOf(trial, outcome);
    const isFirst = !this.#seen.has(place) && (this.#told.get(place) ?? telling) === telling;
    this.#seen.add(place);
    return !isFirst;
  }

  #leave(why: LeftOut | 'told_otherwise'): void {
    this.#leftOut.set(why, (this.#leftOut.get(why) ?? 0) + 1);
  }

  result(): Pick<Harvest, 'rows' | 'failures' | 'exposures' | 'untold' | 'left_out' | 'unfinished_cells'> {
    const words = [...LEFT_OUT, 'told_otherwise'] as const;
    return {
      rows: this.#rows,
      failures: this.#failures,
      exposures: this.exposures,
      untold: this.#untold,
      left_out: Object.fromEntries(words.map((why) => [why, this.#leftOut.get(why) ?? 0])) as Harvest['left_out'],
      unfinished_cells: this.unfinished_cells,
    };
  }
}

/** What a trial is known by, without what is true of it. */
function placeOf({ run, arm, corpus, replicate, question, repeat }: Trial): string {
  return canonicalJson({ run, arm, corpus, replicate, question, repeat });
}

function tellingOf(trial: Trial, outcome: TrialResult['outcome']): string {
  return canonicalJson({ trial, outcome });
}
