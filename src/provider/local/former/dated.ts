import { showDate } from '../language/calendar.js';
import { findDates } from '../language/dates.js';

/** A sentence whose relative dates are followed by what they mean, and when it happened. */
export interface DatedSentence {
  readonly text: string;
  /** The day that the sentence tells of, where it is exact and not after `saidAt`; otherwise `saidAt`. */
  readonly observedAt: string;
}

/** Writes "yesterday" as "yesterday (19 February 2024)", so that a statement keeps its meaning away from its turn. */
export function dateSentence(sentence: string, saidAt: string): DatedSentence {
  const mentions = findDates(sentence, saidAt);
  let text = sentence;
  for (const mention of mentions.toReversed()) {
    if (mention.relative) text = `${text.slice(0, mention.end)} (${showDate(mention.value)})${text.slice(mention.end)}`;
  }
  const days = mentions.filter((mention) => mention.value.length === 10);
  const day = days.length === 1 ? days[0]?.value : undefined;
  const isPast = day !== undefined && day < saidAt.slice(0, 10);
  return { text, observedAt: isPast ? day : saidAt };
}
