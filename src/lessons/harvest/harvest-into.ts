import type { ObservedRun } from '../../experiment/experiment.js';
import { addEvents } from '../add-events.js';
import { BASIS, stateCounts } from '../describe-lessons.js';
import type { HarvestedRun, LessonHarvestDocument } from '../documents.js';
import { evaluateLessons } from '../evaluate.js';
import type { LessonLog } from '../log.js';
import { compareText } from '../values.js';
import { harvestRun } from './harvest-run.js';

/**
 * Adds what runs show to a log, one run after another in the order of their starts, whatever order they were named in: a later run meets the lessons
 * that an earlier one opened. What is there already is not added again.
 *
 * @throws as `addEvents` does, with what earlier runs gave in the log.
 */
export async function harvestInto(log: LessonLog, runs: readonly ObservedRun[]): Promise<LessonHarvestDocument> {
  const inOrder = [...runs].sort((a, b) => compareText(startOf(a), startOf(b)) || compareText(a.run, b.run));
  const harvested: HarvestedRun[] = [];
  for (const run of inOrder) {
    const { events, ...told } = await harvestRun(run, log.events);
    const { added, known } = await addEvents(log, events);
    harvested.push({ ...told, added, known });
  }
  const { lessons } = evaluateLessons(log.events);
  return {
    format: 'lesson-harvest@1',
    ...BASIS,
    torn_bytes: log.torn_bytes,
    runs: harvested,
    states: stateCounts(lessons),
  };
}

function startOf({ started_at }: ObservedRun): string {
  return new Date(started_at).toISOString();
}
