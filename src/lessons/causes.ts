import type { Digest } from '../core/digest.js';
import type { LessonEvent } from './lesson-event.js';
import type { Transition } from './lessons.js';
import { type IdentifiedEvent, orderEvents } from './order-events.js';

/** The events that transitions rest on (LE-5), each once: what was counted, and what completed it, in the order of their evaluation. */
export function causesOf(transitions: readonly Transition[], events: readonly LessonEvent[]): IdentifiedEvent[] {
  const named = new Set<Digest>(transitions.flatMap(({ lineage: { cause, evidence } }) => [...evidence, cause]));
  return orderEvents(events).filter(({ digest }) => named.has(digest));
}
