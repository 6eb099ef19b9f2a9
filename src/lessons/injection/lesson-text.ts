import type { FailureKind, Fingerprint } from '../fingerprint.js';

/**
 * What is said of each kind of failure. The words tell of what happened and order nothing, for a reader takes its context as data; and none is of a
 * question's answer.
 */
const TEXTS: Readonly<Record<FailureKind, (code: string | null) => string>> = {
  'never-formed': () =>
    'were answered wrongly: what they ask for had not been taken into memory, and a near line was no answer.',
  'wrongly-superseded': () =>
    'were answered wrongly: what they ask for had been replaced in memory by a statement that did not cover it.',
  'not-retrieved': () =>
    'were answered wrongly: the lines found did not hold what they ask for, and a near line was no answer.',
  'cut-from-context': () => 'were answered wrongly: what they ask for had been cut from the context for its length.',
  misread: () => 'were answered wrongly: the lines held what they ask for, and were misread.',
  refused: (code) => `were refused without an answer (${code}).`,
  failed: (code) => `had no answer that could be used (${code}).`,
};

/**
 * A lesson's one line for a reader (LE-6): a fixed text by its kind of failure, filled with what the question itself shows and, where there was no
 * answer, the stable code. It begins with a mark in the place of a date, so that it is told from the notes.
 */
export function lessonText({ failure, error_code, scope: { asks, subjects } }: Fingerprint): string {
  const asked = asks === 'other' ? 'something else' : asks.replaceAll('-', ' ');
  const about = subjects.length === 0 ? 'nobody by name' : subjects.join(', ');
  return `[lesson] Earlier questions that ask ${asked} about ${about} ${TEXTS[failure](error_code)}`;
}
