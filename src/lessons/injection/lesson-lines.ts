import { canonicalJson } from '../../core/canonical-json.js';
import type { Digest } from '../../core/digest.js';
import type { LessonLine } from '../../experiment/experiment.js';
import type { Question } from '../../fixture/question.js';
import type { Lesson } from '../lessons.js';
import type { LessonProjection } from '../projection.js';
import { scopeOf } from '../question-scope.js';
import { compareText } from '../values.js';
import { lessonText } from './lesson-text.js';

/** The lines that a projection has for questions (LE-6). */
export class LessonLines {
  readonly #byScope = new Map<string, Lesson[]>();

  constructor({ lessons }: LessonProjection) {
    for (const lesson of [...lessons].sort(compareLessons)) {
      const scope = canonicalJson(lesson.fingerprint.scope);
      this.#byScope.set(scope, [...(this.#byScope.get(scope) ?? []), lesson]);
    }
  }

  /**
   * Those of lessons whose scope is what the question shows: enforced before verified, then by first observation, then by id. A text that several
   * lessons have stands once.
   */
  linesFor(corpus: Digest, question: Question): LessonLine[] {
    const byText = new Map<string, Digest[]>();
    for (const { lesson, fingerprint } of this.#byScope.get(canonicalJson(scopeOf(corpus, question))) ?? []) {
      const text = lessonText(fingerprint);
      byText.set(text, [...(byText.get(text) ?? []), lesson]);
    }
    return [...byText].map(([text, lessons]) => ({ text, lessons }));
  }
}

function compareLessons(a: Lesson, b: Lesson): number {
  return (
    Number(b.state === 'enforced') - Number(a.state === 'enforced') ||
    compareText(a.first_observed_at, b.first_observed_at) ||
    compareText(a.lesson, b.lesson)
  );
}
