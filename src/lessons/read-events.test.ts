import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../core/canonical-json.js';
import { failedWith, failure, GUARD, imported, MISSED, success, trial } from './bootstrap/sample-events.js';
import { LEFT_OPEN_WORDS } from './left-open.js';
import { readLessonEvents } from './read-events.js';

const EVENTS = [failure(0, trial('run-1')), success(1, trial('run-2'))];
const LINES = EVENTS.map((event) => `${canonicalJson(event)}\n`);
const LINE = LINES[0]!;

const faults = (text: string): string[] => {
  try {
    readLessonEvents([{ name: 'events.jsonl', text }]);
  } catch (error) {
    const { errors } = error as { errors: { code: string; location: { file: string; line: number } }[] };
    return errors.map(({ code, location }) => `${location.file}:${location.line} ${code}`);
  }
  return [];
};
const with_ = (changes: object): string => `${canonicalJson({ ...EVENTS[0], ...changes })}\n`;

describe('files of events', () => {
  it('LE-1 every file is read; an empty one holds none', () => {
    expect(
      readLessonEvents([
        { name: 'a', text: LINES.join('') },
        { name: 'b', text: '' },
      ]),
    ).toEqual(EVENTS);
    expect(faults(LINES.join(''))).toEqual([]);
  });

  it('LE-1 what is not an event is refused with its place, all faults together', () => {
    expect(faults(`${LINE}nonsense\n${with_({ kind: 'promotion' })}${LINE.trimEnd()}`)).toEqual([
      'events.jsonl:2 LESSON_EVENT_INVALID',
      'events.jsonl:3 LESSON_EVENT_INVALID',
      'events.jsonl:4 LESSON_EVENTS_TRUNCATED',
    ]);
    expect(faults(`\n${LINE}`)).toEqual(['events.jsonl:1 LESSON_EVENT_INVALID']);
  });

  it.each([
    ['an unknown field', { note: 'x' }],
    ['another version', { format: 'lesson-event@2' }],
    ['a time with an offset', { at: '2026-03-01T00:00:00.000+01:00' }],
    ['a day that does not exist', { at: '2026-02-29T00:00:00.000Z' }],
    ['subjects out of order', { fingerprint: { ...MISSED, scope: { ...MISSED.scope, subjects: ['Rosa', 'Ines'] } } }],
    ['a subject twice', { fingerprint: { ...MISSED, scope: { ...MISSED.scope, subjects: ['Ines', 'Ines'] } } }],
    ['an unknown field of a fingerprint', { fingerprint: { ...MISSED, label: 'x' } }],
    ["another corpus than the trial's", { fingerprint: { ...MISSED, scope: { ...MISSED.scope, corpus: GUARD } } }],
    ['a failure of another stage', { fingerprint: { ...MISSED, stage: 'reader' } }],
    ['an error code of a wrong answer', { fingerprint: { ...MISSED, error_code: 'X' } }],
    ['a failure without an error code', { fingerprint: { ...failedWith('X'), error_code: null } }],
    ['free text as an error code', { fingerprint: failedWith('it broke') }],
    ['repeat 0', { trial: trial('run-1', 'q', { repeat: 0 }) }],
  ])('LE-1 %s is refused', (_what, changes) => {
    expect(faults(with_(changes))).toEqual(['events.jsonl:1 LESSON_EVENT_INVALID']);
    expect(faults(with_({}))).toEqual([]);
  });

  it('LE-1 a lone surrogate in a name is refused as input', () => {
    expect(faults(LINE.replace('"Rosa"', '"Rosa\\ud800"'))).toEqual(['events.jsonl:1 LESSON_EVENT_INVALID']);
  });

  it('LE-1 a repeated key or another spelling of the same event is refused', () => {
    const NOT_CANONICAL = ['events.jsonl:1 LESSON_EVENT_NOT_CANONICAL'];
    expect(faults(LINE.replace('{', '{ '))).toEqual(NOT_CANONICAL);
    expect(faults(LINE.replace('"repeat":1', '"repeat":1.0'))).toEqual(NOT_CANONICAL);
    expect(faults(LINE.replace('"repeat":1', '"repeat":2,"repeat":1'))).toEqual(NOT_CANONICAL);
  });

  it('LE-3 an import that was first observed after itself is refused', () => {
    const text = (first_observed_at: string) =>
      `${canonicalJson({ ...imported(0, 'probationary'), first_observed_at })}\n`;
    expect(faults(text('2026-03-01T00:00:00.001Z'))).toEqual(['events.jsonl:1 LESSON_EVENT_INVALID']);
    expect(faults(text('2026-03-01T00:00:00.000Z'))).toEqual([]);
  });

  it("LE-3 an event that the paper does not know bears this project's mark", () => {
    const { extension: _mark, ...unmarked } = imported(0, 'verified') as { extension: true };
    expect(faults(`${canonicalJson(unmarked)}\n`)).toEqual(['events.jsonl:1 LESSON_EVENT_INVALID']);
  });

  it.each(LEFT_OPEN_WORDS)('LE-1 %s is left open by the paper, and refused as that', (kind) => {
    expect(faults(with_({ kind }))).toEqual(['events.jsonl:1 LESSON_LEFT_OPEN']);
  });
});
