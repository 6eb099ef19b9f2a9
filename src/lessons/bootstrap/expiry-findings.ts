import { lessonOf } from '../fingerprint.js';
import type { LessonEvent } from '../lesson-event.js';
import { PAPER_PROFILE } from '../threshold-profile.js';
import { type Findings, moves, refusal, stateOf } from './findings.js';
import { evaluation, failure, fingerprint, imported, prevented, success, trial } from './sample-events.js';

const FIRST = failure(0, trial('run-1'));
const THREE = [1, 2, 3].map((day) => success(day, trial(`good-${day}`)));
const TWO = THREE.slice(0, 2);
const OTHER = fingerprint('misread');
const copies = ['a', 'b', 'c'].map((run) => success(2, trial(run, 'harbour/q1', { freshly_read: false })));
/** Two successes that count and one of which this is asked. */
const withThird = (third: LessonEvent): string[] => moves(FIRST, ...TWO, third, evaluation(7));

/** What expires a lesson, and what does not (LE-3). */
export const expiryFindings: Findings = {
  'expiry/three-successes-at-seven-days': () => moves(FIRST, ...THREE, evaluation(7)),
  'expiry/one-millisecond-early': () => moves(FIRST, ...THREE, evaluation(7, -1)),
  'expiry/no-evaluation': () => moves(FIRST, ...THREE),
  'expiry/two-successes': () => moves(FIRST, ...TWO, evaluation(7)),
  'expiry/time-alone': () => moves(FIRST, evaluation(36_500)),
  'expiry/injected': () => withThird(success(3, trial('good-3'), { injected: true })),
  'expiry/ineligible': () => withThird(success(3, trial('good-3'), { eligible: false })),
  'expiry/unrelated': () => withThird(success(3, trial('good-3'), { related: false })),
  'expiry/exposed-and-failed': () => withThird(success(3, trial('good-3'), { outcome: 'failure' })),
  'expiry/of-another-lesson': () =>
    stateOf([
      FIRST,
      failure(0, trial('run-1'), OTHER),
      ...THREE.map((event) => ({ ...event, lesson: lessonOf(OTHER) }) as LessonEvent),
      evaluation(7),
    ]),
  'expiry/one-trial-told-twice': () => withThird(success(5, trial('good-2'))),
  'expiry/copies-of-a-stored-success': () => moves(FIRST, ...copies, evaluation(7)),
  'expiry/copies-of-successes-at-the-first-failure': () => {
    const old = (day: number, run: string) =>
      ['q2', 'q3', 'q4'].map((question) => success(day, trial(run, question, { freshly_read: false })));
    return moves(FIRST, ...old(0, 'run-1'), ...old(1, 'run-2'), evaluation(7));
  },
  'expiry/successes-at-the-first-failure': () =>
    moves(FIRST, ...['a', 'b', 'c'].map((run) => success(0, trial(run))), evaluation(30)),
  'expiry/exposure-before-the-first-failure': () =>
    refusal(() => moves(failure(2, trial('run-1')), success(1, trial('good-1')))),
  'expiry/has-recurred': () =>
    stateOf([FIRST, ...THREE, failure(4, trial('run-2')), evaluation(7)], { ...PAPER_PROFILE, recurrence_runs: 3 }),
  'expiry/prevented-by-a-guard': () => moves(FIRST, ...THREE, prevented(4, trial('run-2')), evaluation(7)),
  'expiry/probationary': () => moves(imported(0, 'probationary'), ...THREE, evaluation(7)),
  'expiry/verified-stays': () => moves(imported(0, 'verified'), ...THREE, evaluation(30)),
  'expiry/enforced-stays': () => moves(imported(0, 'enforced'), ...THREE, evaluation(30)),
  'expiry/compiled-stays': () => moves(imported(0, 'compiled'), ...THREE, evaluation(30)),
};
