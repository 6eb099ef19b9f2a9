import { canonicalJson } from '../../core/canonical-json.js';
import type { Digest } from '../../core/digest.js';
import { type Fingerprint, lessonOf } from '../fingerprint.js';
import type { LessonEvent } from '../lesson-event.js';

/** A lesson that is open. */
export interface OpenLesson {
  readonly lesson: Digest;
  readonly fingerprint: Fingerprint;
}

/** The lessons that are open at the time of a run: whoever learns later what it could have shown harvests it again. */
export class OpenLessons {
  readonly #byId = new Map<Digest, OpenLesson>();
  readonly #byScope = new Map<string, OpenLesson[]>();

  constructor(events: Iterable<LessonEvent>, at: string) {
    for (const event of events) if ('fingerprint' in event && event.at <= at) this.open(event.fingerprint);
  }

  /** @returns whether it was not open before. */
  open(fingerprint: Fingerprint): boolean {
    const lesson = lessonOf(fingerprint);
    if (this.#byId.has(lesson)) return false;
    const opened = { lesson, fingerprint };
    this.#byId.set(lesson, opened);
    const scope = canonicalJson(fingerprint.scope);
    this.#byScope.set(scope, [...(this.#byScope.get(scope) ?? []), opened]);
    return true;
  }

  /** In the order in which they were opened. */
  ofScope(scope: Fingerprint['scope']): readonly OpenLesson[] {
    return this.#byScope.get(canonicalJson(scope)) ?? [];
  }

  byId(lesson: string): OpenLesson | undefined {
    return this.#byId.get(lesson as Digest);
  }
}
