/**
 * The states of a lesson. The evaluator leads to `verified` and `expired`, people to `enforced` and `compiled`; `probationary` comes in by an import
 * alone, since the paper gives no rule that leads to it (LE-3).
 */
export const LESSON_STATES = ['candidate', 'probationary', 'verified', 'enforced', 'compiled', 'expired'] as const;
/** One of them. */
export type LessonState = (typeof LESSON_STATES)[number];

/** The states that people lead a lesson to, and those that each is reached from. Anything else that people might want is left open by the paper. */
export const HUMAN_TRANSITIONS = {
  enforced: ['verified'],
  compiled: ['verified', 'enforced'],
} as const satisfies Readonly<Partial<Record<LessonState, readonly LessonState[]>>>;
/** One of them. */
export type HumanState = keyof typeof HUMAN_TRANSITIONS;
