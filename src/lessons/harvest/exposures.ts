import { canonicalJson } from '../../core/canonical-json.js';
import { FAILURE_STAGES, type Fingerprint } from '../fingerprint.js';
import type { LessonEvent } from '../lesson-event.js';
import type { OpenLesson, OpenLessons } from './open-lessons.js';
import type { TrialResult } from './trial-result.js';

type Exposure = Extract<LessonEvent, { readonly kind: 'exposure' }>;

/**
 * How a trial met the lessons that are open (LE-6): those whose scope is what its question shows and whose failure its arm could have shown by its retrieval, and
 * those that were injected, whatever they are about. Lessons of other strategies it did not meet.
 */
export function exposuresOf(result: TrialResult, open: OpenLessons, at: string): Exposure[] {
  if (!result.was_asked) return [];
  const met = new Map<string, OpenLesson>();
  for (const one of open.ofScope(result.scope)) if (couldShow(result, one.fingerprint)) met.set(one.lesson, one);
  for (const injected of result.injected) {
    const one = open.byId(injected);
    if (one !== undefined) met.set(one.lesson, one);
  }
  return [...met.values()].map(({ lesson, fingerprint }) => {
    const related = canonicalJson(fingerprint.scope) === canonicalJson(result.scope);
    return {
      format: 'lesson-event@1',
      at,
      kind: 'exposure',
      lesson,
      trial: result.trial,
      eligible: couldShow(result, fingerprint) && reached(result, fingerprint),
      related,
      injected: result.injected.includes(lesson),
      outcome: result.outcome,
    };
  });
}

function couldShow({ strategy, unit }: TrialResult, fingerprint: Fingerprint): boolean {
  if (fingerprint.stage === 'formation') return unit === 'beliefs';
  return fingerprint.strategy === null || fingerprint.strategy === strategy;
}

/** A stage that comes after the one that lost the answer had no say; where nothing tells which did, none is known to have had one. */
function reached({ outcome, lost_at, strategy }: TrialResult, { stage, error_code }: Fingerprint): boolean {
  // What an arm that retrieves nothing gets wrong is left out, so what it gets right is no sign that a wrong answer's cause has gone.
  if (outcome === 'success') return strategy !== 'none' || error_code !== null;
  return lost_at !== null && placeOf(stage) <= placeOf(lost_at);
}

// A question is admitted by the budget before anything is done about it.
const ORDER = ['budget', ...FAILURE_STAGES.filter((stage) => stage !== 'budget')];

function placeOf(stage: Fingerprint['stage']): number {
  return ORDER.indexOf(stage);
}
