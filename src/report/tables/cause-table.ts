import { shortDigest } from '../../core/digest.js';
import type { LessonDocument } from '../../lessons/documents.js';
import { plainTable } from './table.js';

type LessonEvent = LessonDocument['causes'][number]['event'];
type Trial = Extract<LessonEvent, { readonly kind: 'exposure' }>['trial'];

/** What each event says that a lesson's transitions rest on (LE-5). */
export function showCauses(causes: LessonDocument['causes']): string {
  return plainTable(
    ['cause', 'at', 'kind', 'what it says'],
    causes.map(({ digest, event }) => [shortDigest(digest), event.at, event.kind, said(event)]),
  );
}

function said(event: LessonEvent): string {
  switch (event.kind) {
    case 'failure-observed':
    case 'recurrence':
      return where(event.trial);
    case 'exposure':
      return `${event.outcome}: ${where(event.trial)}`;
    case 'guard-prevented':
      return `guard ${shortDigest(event.guard)}: ${where(event.trial)}`;
    case 'guard-evidence': {
      const [before, after] = [event.before.join(', '), event.after.join(', ')];
      return `guard ${shortDigest(event.guard)}: ${before} without it; ${after} with it`;
    }
    case 'human-transition': {
      const why = event.reason_code === null ? '' : `: ${event.reason_code}`;
      const guard = event.guard === null ? '' : ` as guard ${shortDigest(event.guard)}`;
      return `to ${event.to}${guard}, by ${event.actor}${why}`;
    }
    case 'state-import':
      return `${event.state}, from ${event.source}`;
    case 'evaluation':
      return '';
  }
}

function where({ run, arm, question, replicate, repeat, freshly_read }: Trial): string {
  return [
    `${run}, ${arm}: ${question}`,
    ...(replicate === 1 ? [] : [`bank ${replicate}`]),
    ...(repeat === 1 ? [] : [`repeat ${repeat}`]),
    freshly_read ? 'read anew' : 'not read anew',
  ].join(', ');
}
