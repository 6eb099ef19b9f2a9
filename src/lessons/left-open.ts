import { invalidInput, type RecallMatrixError } from '../core/errors.js';

/** What the paper leaves open, by the words that someone may ask for it in. Nothing here is invented: each is refused. */
const LEFT_OPEN = {
  revoke: 'the revocation of a lesson',
  pin: 'pinning a lesson',
  reject: 'rejecting a lesson',
  deprecate: 'deprecating a lesson',
  supersede: 'superseding a lesson',
  merge: 'merging fingerprints',
  split: 'splitting a fingerprint',
  probation: 'a rule that leads to probation',
} as const;
/** One of those words. */
export type LeftOpen = keyof typeof LEFT_OPEN;
/** All of them. */
export const LEFT_OPEN_WORDS = Object.keys(LEFT_OPEN) as readonly LeftOpen[];

/** The refusal of something that the paper leaves open: `LESSON_LEFT_OPEN`. */
export function leftOpen(asked: LeftOpen): RecallMatrixError {
  return invalidInput(
    'LESSON_LEFT_OPEN',
    `${LEFT_OPEN[asked]} (${asked}) is left open by the paper: there is no rule`,
    {
      remedy:
        'a person may enforce a verified lesson, or compile one into a guard; nothing else but evidence changes a lesson',
    },
  );
}

/**
 * Why a line is an event that nobody may write: of a kind that is left open, or a person's transition to a state that is. Null where it is neither,
 * an event or not.
 *
 * @returns `LESSON_LEFT_OPEN`, or `LESSON_TRANSITION_REFUSED` where a person verifies.
 */
export function refusedEvent(line: unknown): RecallMatrixError | null {
  const { kind, to } = (typeof line === 'object' && line !== null ? line : {}) as Readonly<Record<string, unknown>>;
  const asked = LEFT_OPEN_WORDS.find((word) => word === kind);
  if (asked !== undefined) return leftOpen(asked);
  if (kind !== 'human-transition') return null;
  if (to === 'probationary') return leftOpen('probation');
  if (to === 'candidate' || to === 'expired') return leftOpen('revoke');
  if (to !== 'verified') return null;
  return invalidInput('LESSON_TRANSITION_REFUSED', 'no person verifies a lesson', {
    remedy: 'give the evidence: a recurrence in an independent run, or reproducible guard evidence',
  });
}
