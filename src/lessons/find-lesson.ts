import { invalidInput } from '../core/errors.js';
import type { Lesson } from './lessons.js';

const SHORTEST = 4;
const SHOWN = 5;

/**
 * The lesson of an id: whole, or its first hexadecimal digits, as long as one lesson alone begins with them.
 *
 * @throws exit 2: `LESSON_UNKNOWN`, `LESSON_AMBIGUOUS`.
 */
export function findLesson(lessons: readonly Lesson[], id: string): Lesson {
  const digits = id.replace(/^sha256:/, '');
  const isPrefix = /^[0-9a-f]+$/.test(digits) && digits.length >= SHORTEST;
  const found = isPrefix ? lessons.filter(({ lesson }) => lesson.startsWith(`sha256:${digits}`)) : [];
  const [one] = found;
  if (one === undefined) {
    throw invalidInput('LESSON_UNKNOWN', `no lesson has the id ${id}`, {
      remedy: `recall-matrix lessons list shows the ids; name one, or its first ${SHORTEST} digits or more`,
    });
  }
  if (found.length === 1) return one;
  const others = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  const ids = found.slice(0, SHOWN).map(({ lesson }) => lesson);
  throw invalidInput('LESSON_AMBIGUOUS', `${found.length} lessons begin with ${id}: ${ids.join(', ')}${others}`, {
    remedy: 'name more digits',
  });
}
