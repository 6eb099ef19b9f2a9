import { canonicalJson } from '../core/canonical-json.js';
import { InvalidInputErrors, invalidInput, messageOf, RecallMatrixError } from '../core/errors.js';
import { refusedEvent } from './left-open.js';
import { type LessonEvent, lessonEventSchema } from './lesson-event.js';

/** A file of events: one `lesson-event@1` a line. */
export interface EventFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The events of files, whose order does not matter (LE-1). Every line is canonical JSON, so that a repeated key, another spelling of a number or
 * a cut line is seen.
 *
 * @throws `InvalidInputErrors` with every fault, by file and line: `LESSON_EVENT_INVALID`, `LESSON_EVENT_NOT_CANONICAL`,
 * `LESSON_EVENTS_TRUNCATED` (the last line does not end), and as `refusedEvent` does.
 */
export function readLessonEvents(files: readonly EventFile[]): LessonEvent[] {
  const read = files.flatMap(readFile);
  const faults = read.filter((found) => found instanceof RecallMatrixError);
  if (faults.length > 0) throw new InvalidInputErrors(faults);
  return read.filter((found) => !(found instanceof RecallMatrixError));
}

function readFile({ name, text }: EventFile): (LessonEvent | RecallMatrixError)[] {
  const lines = text.split('\n');
  const rest = lines.pop();
  const found = lines.map((line, index) => readLine(name, line, index + 1));
  if (rest === '') return found;
  const location = { file: name, line: lines.length + 1 };
  return [
    ...found,
    invalidInput('LESSON_EVENTS_TRUNCATED', 'the last line has no line feed', {
      location,
      remedy: 'get the file again, whole; a last line that was cut is no event',
    }),
  ];
}

function readLine(file: string, text: string, line: number): LessonEvent | RecallMatrixError {
  const location = { file, line };
  const remedy = 'write one lesson-event@1 a line, as canonical JSON (keys sorted, no spaces)';
  try {
    const value: unknown = JSON.parse(text);
    const refused = refusedEvent(value);
    if (refused !== null) return refused.at(location);
    const parsed = lessonEventSchema.safeParse(value);
    if (!parsed.success) return invalidInput('LESSON_EVENT_INVALID', issuesOf(parsed.error), { location, remedy });
    if (canonicalJson(parsed.data) === text) return parsed.data;
    return invalidInput('LESSON_EVENT_NOT_CANONICAL', 'not the canonical JSON of its event', { location, remedy });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return invalidInput('LESSON_EVENT_INVALID', `not JSON: ${messageOf(error)}`, { location, remedy });
  }
}

function issuesOf(error: { readonly issues: readonly { readonly path: PropertyKey[]; readonly message: string }[] }) {
  return error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'the line'}: ${message}`).join('; ');
}
