import { evaluateLessons } from '../evaluate.js';
import { projectionOf } from '../projection.js';
import { type Findings, moves, stateOf, states } from './findings.js';
import {
  evaluation,
  event,
  failedWith,
  failure,
  fingerprint,
  GUARD,
  guardEvidence,
  LESSON,
  prevented,
  success,
  trial,
} from './sample-events.js';

const FIRST = failure(0, trial('run-1'));
const stored = { freshly_read: false };

/** How a failure is isolated, and what verifies it (LE-2). */
export const verificationFindings: Findings = {
  'first-failure/state': () => stateOf([FIRST]),
  'first-failure/moves': () => moves(FIRST, evaluation(1)),
  'first-failure/is-not-shown': () => projectionOf(evaluateLessons([FIRST]).lessons).projection.lessons.map(String),
  'first-failure/after-a-century': () => stateOf([FIRST, evaluation(36_500)]),

  'recurrence/two-runs': () => moves(FIRST, failure(1, trial('run-2', 'harbour/q2'))),
  'recurrence/told-by-id': () =>
    moves(FIRST, event(1, { kind: 'recurrence', lesson: LESSON, trial: trial('run-2', 'harbour/q2') })),
  'recurrence/three-runs-move-once': () => moves(FIRST, failure(1, trial('run-2')), failure(2, trial('run-3'))),
  'recurrence/another-kind-of-failure': () => states([FIRST, failure(1, trial('run-2'), fingerprint('misread'))]),
  'recurrence/another-error-code': () =>
    states([
      failure(0, trial('run-1'), failedWith('PROVIDER_TIMEOUT')),
      failure(1, trial('run-2'), failedWith('PROVIDER_REFUSED')),
    ]),
  'recurrence/same-event-twice': () => moves(FIRST, structuredClone(FIRST)),
  'recurrence/same-run-another-question': () => moves(FIRST, failure(1, trial('run-1', 'harbour/q2'))),
  'recurrence/same-run-another-arm': () => moves(FIRST, failure(1, trial('run-1', 'harbour/q1', { arm: 'bm25-long' }))),
  'recurrence/same-run-another-repeat': () => moves(FIRST, failure(1, trial('run-1', 'harbour/q1', { repeat: 2 }))),
  'recurrence/fresh-reading-of-the-same-question': () => moves(FIRST, failure(1, trial('run-2'))),
  'recurrence/copy-of-a-stored-reading': () => moves(FIRST, failure(1, trial('run-2', 'harbour/q1', stored))),
  'recurrence/copy-under-another-arm': () =>
    moves(FIRST, failure(1, trial('run-2', 'harbour/q1', { ...stored, arm: 'bm25-long' }))),
  'recurrence/stored-reading-of-another-question': () => moves(FIRST, failure(1, trial('run-2', 'harbour/q2', stored))),
  'recurrence/stored-reading-of-another-repeat': () =>
    moves(FIRST, failure(1, trial('run-2', 'harbour/q1', { ...stored, repeat: 2 }))),
  'recurrence/stored-reading-of-another-bank': () =>
    moves(FIRST, failure(1, trial('run-2', 'harbour/q1', { ...stored, bank: GUARD }))),
  'recurrence/after-expiry': () =>
    moves(
      FIRST,
      ...[1, 2, 3].map((day) => success(day, trial(`good-${day}`))),
      evaluation(7),
      failure(8, trial('run-2')),
    ),

  'guard/reproduced': () => moves(FIRST, guardEvidence(1)),
  'guard/failed-before-once-only': () => moves(FIRST, guardEvidence(1, ['fail'], ['pass', 'pass'])),
  'guard/passed-after-once-only': () => moves(FIRST, guardEvidence(1, ['fail', 'fail'], ['pass'])),
  'guard/passed-before': () => moves(FIRST, guardEvidence(1, ['fail', 'pass'], ['pass', 'pass'])),
  'guard/failed-after': () => moves(FIRST, guardEvidence(1, ['fail', 'fail'], ['pass', 'fail'])),
  'guard/prevention-alone': () => moves(FIRST, prevented(1, trial('run-2'))),
};
