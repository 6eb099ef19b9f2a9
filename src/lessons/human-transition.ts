import type { Digest } from '../core/digest.js';
import { invalidInput, type RecallMatrixError } from '../core/errors.js';
import type { LessonEvent } from './lesson-event.js';
import { HUMAN_TRANSITIONS, type LessonState } from './lesson-state.js';

/** Why a person may not lead a lesson on from the state that it is in: `LESSON_TRANSITION_REFUSED`; null where they may. */
export function refusedTransition(
  digest: Digest,
  event: Extract<LessonEvent, { readonly kind: 'human-transition' }>,
  from: LessonState,
): RecallMatrixError | null {
  const allowed: readonly LessonState[] = HUMAN_TRANSITIONS[event.to];
  if (allowed.includes(from)) return null;
  return invalidInput(
    'LESSON_TRANSITION_REFUSED',
    `event ${digest} of ${event.at}: lesson ${event.lesson} is ${from} by then; people lead to ${event.to} from ${allowed.join(' or ')} alone`,
    {
      remedy:
        from === 'enforced' || from === 'compiled'
          ? `leave it as it is: it is ${from} already, and no rule leads back`
          : 'let evidence verify the lesson first, or leave the event out',
    },
  );
}
