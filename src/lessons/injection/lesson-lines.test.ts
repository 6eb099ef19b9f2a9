import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/canonical-json.js';
import { digestText } from '../../core/digest.js';
import type { Question } from '../../fixture/question.js';
import { failedWith, fingerprint } from '../bootstrap/sample-events.js';
import { FAILURE_KINDS, type Fingerprint, lessonOf, WRONG_ANSWER_STAGES } from '../fingerprint.js';
import { LESSON_STATES, type LessonState } from '../lesson-state.js';
import type { Lesson } from '../lessons.js';
import { projectionOf } from '../projection.js';
import { LessonLines } from './lesson-lines.js';
import { lessonText } from './lesson-text.js';
import { restoreProjection } from './restore-projection.js';

const MISREAD = fingerprint('misread');
const { corpus } = MISREAD.scope;
const QUESTION: Question = {
  id: 'harbour/q1',
  question: 'When did Rosa meet Ines?',
  asked_at: '2026-03-01T00:00:00' as never,
  subjects: ['Rosa', 'Ines'],
};

const lesson = (of: Fingerprint, state: LessonState, day = 1): Lesson => ({
  lesson: lessonOf(of),
  fingerprint: of,
  state,
  first_observed_at: `2026-03-0${day}T00:00:00.000Z`,
  since: '2026-03-09T00:00:00.000Z',
  is_imported: false,
  learnt_from: ['harbour/q1'],
});
const linesOf = (lessons: readonly Lesson[], question: Question = QUESTION, where = corpus) =>
  new LessonLines(projectionOf(lessons).projection).linesFor(where, question);

describe('LE-6 the lessons that match a question', () => {
  it.each(LESSON_STATES)('LE-4 of state %s: only verified and enforced ones ever reach a context', (state) => {
    const shown = linesOf([lesson(MISREAD, state)]).flatMap(({ lessons }) => lessons);
    expect(shown).toEqual(state === 'verified' || state === 'enforced' ? [lessonOf(MISREAD)] : []);
  });

  it('LE-6 by corpus, subjects in any order and what is asked, all three; the rest of a question says nothing', () => {
    const verified = [lesson(MISREAD, 'verified')];
    expect(linesOf(verified)).toHaveLength(1);
    expect(linesOf(verified, { ...QUESTION, id: 'other', question: 'When was it?' })).toHaveLength(1);
    expect(linesOf(verified, { ...QUESTION, question: 'Where did Rosa meet Ines?' })).toEqual([]);
    expect(linesOf(verified, { ...QUESTION, subjects: ['Rosa'] })).toEqual([]);
    expect(linesOf(verified, QUESTION, digestText('another'))).toEqual([]);
  });

  it('LE-6 enforced before verified, then by first observation, then by id; equal texts stand once, for all their lessons', () => {
    const otherStrategy: Fingerprint = { ...fingerprint('not-retrieved'), strategy: 'semantic' };
    const missed = fingerprint('not-retrieved');
    const lessons = [
      lesson(fingerprint('never-formed'), 'verified', 3),
      lesson(missed, 'verified', 2),
      lesson(otherStrategy, 'verified', 4),
      lesson(MISREAD, 'enforced', 5),
    ];
    expect(linesOf(lessons).map((line) => line.lessons)).toEqual([
      [lessonOf(MISREAD)],
      [lessonOf(missed), lessonOf(otherStrategy)],
      [lessonOf(fingerprint('never-formed'))],
    ]);
    expect(linesOf([...lessons].reverse())).toEqual(linesOf(lessons));
  });
});

describe('LE-6 the text of a lesson', () => {
  it('LE-6 is a fixed one by kind of failure, of what the question shows', () => {
    const base: Omit<Fingerprint, 'stage' | 'failure' | 'error_code'> = MISREAD;
    const texts = FAILURE_KINDS.map((failure) =>
      lessonText({
        ...base,
        failure,
        stage: failure === 'refused' ? 'budget' : failure === 'failed' ? 'reader' : WRONG_ANSWER_STAGES[failure],
        error_code: failure === 'refused' || failure === 'failed' ? 'SOME_CODE' : null,
      }),
    );
    const about = '[lesson] Earlier questions that ask when about Ines, Rosa';
    expect(texts).toEqual([
      `${about} were answered wrongly: what they ask for had not been taken into memory, and a near line was no answer.`,
      `${about} were answered wrongly: what they ask for had been replaced in memory by a statement that did not cover it.`,
      `${about} were answered wrongly: the lines found did not hold what they ask for, and a near line was no answer.`,
      `${about} were answered wrongly: what they ask for had been cut from the context for its length.`,
      `${about} were answered wrongly: the lines held what they ask for, and were misread.`,
      `${about} were refused without an answer (SOME_CODE).`,
      `${about} had no answer that could be used (SOME_CODE).`,
    ]);
    const nobody = { ...MISREAD, scope: { ...MISREAD.scope, subjects: [], asks: 'how-many' as const } };
    expect(lessonText(nobody)).toContain('[lesson] Earlier questions that ask how many about nobody by name were');
    expect(lessonText(failedWith('READER_EMPTY_ANSWER'))).toContain('(READER_EMPTY_ANSWER)');
  });

  it('LE-6 holds no label: lessons that were learnt from other questions, at other times, give the same bytes', () => {
    const plain = lesson(MISREAD, 'verified');
    const shuffled = {
      ...plain,
      learnt_from: ['secret/expected-Lisbon'],
      first_observed_at: '2025-01-01T00:00:00.000Z',
    };
    expect(canonicalJson(linesOf([shuffled]))).toBe(canonicalJson(linesOf([plain])));
    // A question with labels beside it, as a fixture's own line has them, is the same question.
    const labelled = { ...QUESTION, expected: ['Lisbon'], evidence: ['D1:3'], category: 'temporal', answerable: false };
    expect(canonicalJson(linesOf([plain], labelled))).toBe(canonicalJson(linesOf([plain])));
  });
});

describe('LE-6 a projection that a run has kept', () => {
  const { projection } = projectionOf([lesson(MISREAD, 'verified')]);

  it('LE-6 is read back as it was', () => {
    expect(restoreProjection(canonicalJson(projection), 'lessons.json')).toEqual(projection);
  });

  it.each(['candidate', 'probationary', 'expired', 'compiled'] as const)(
    'LE-4 is refused where someone has put a %s lesson into it',
    (state) => {
      const forged = { ...projection, lessons: [{ ...projection.lessons[0], state }] };
      expect(() => restoreProjection(canonicalJson(forged), 'lessons.json')).toThrowError(
        expect.objectContaining({ code: 'LESSON_PROJECTION_BROKEN' }),
      );
    },
  );

  it.each([
    ['no JSON', '{'],
    ['another form', '{"format":"lesson-projection@2"}'],
    [
      'a lesson under another id than its fingerprint gives',
      canonicalJson({ ...projection, lessons: [{ ...projection.lessons[0], lesson: digestText('other') }] }),
    ],
  ])('LE-6 is refused where it is %s', (_, text) => {
    expect(() => restoreProjection(text, 'lessons.json')).toThrowError(
      expect.objectContaining({ code: 'LESSON_PROJECTION_BROKEN' }),
    );
  });
});
