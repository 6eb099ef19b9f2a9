import type { Digest } from '../core/digest.js';
import type { Question } from '../fixture/question.js';

/** A line for the reader, and the lessons whose text it is. */
export interface LessonLine {
  readonly text: string;
  readonly lessons: readonly Digest[];
}

/** The lessons that a run may put before its readers: the same from its start to its end (LE-6). What they say is not the experiment's business. */
export interface RunLessons {
  /** Of `text`. */
  readonly digest: Digest;
  /** Canonical JSON: what the run folder keeps. */
  readonly text: string;
  readonly count: number;
  /** Lessons of which nobody knows what questions they were learnt from. */
  readonly of_unknown_origin: number;
  /** A lesson's line for a reader; null for one that is not among them. */
  textOf(lesson: Digest): string | null;
  /** What matches a question, by what it shows itself, first to last. */
  linesFor(corpus: Digest, question: Question): readonly LessonLine[];
  /** The questions of a corpus that any of them was learnt from. */
  learntFrom(corpus: Digest): ReadonlySet<string>;
}

/** Where lessons are had from. */
export interface LessonBook {
  /** Absolute. */
  readonly folder: string;
  /** Whether the user named it, or it is where lessons usually are. */
  readonly isNamed: boolean;
  /** What it says now; no lesson where there is no log. Notes what it leaves out. @throws exit 2 where it is broken. */
  read(note: (text: string) => void): Promise<RunLessons>;
  /** What a run has kept. @throws `LESSON_PROJECTION_BROKEN` (exit 2). */
  restore(text: string, file: string): RunLessons;
}
