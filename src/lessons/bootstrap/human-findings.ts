import { canonicalJson } from '../../core/canonical-json.js';
import type { LessonEvent } from '../lesson-event.js';
import { readLessonEvents } from '../read-events.js';
import { type Findings, moves, refusal } from './findings.js';
import { evaluation, failure, guardEvidence, human, success, trial } from './sample-events.js';

const FIRST = failure(0, trial('run-1'));
const VERIFIED = [FIRST, guardEvidence(1)];
const EXPIRED = [FIRST, ...[1, 2, 3].map((day) => success(day, trial(`good-${day}`))), evaluation(7)];
const refused = (...events: LessonEvent[]): string => refusal(() => moves(...events));
/** A line that the schema does not allow: another field of a person's transition. */
const written = (changes: object): string =>
  refusal(() => readLessonEvents([{ name: 'a', text: `${canonicalJson({ ...human(2, 'enforced'), ...changes })}\n` }]));

/** What people may do, what they may not, and what the paper leaves open. */
export const humanFindings: Findings = {
  'human/enforces-what-is-verified': () => moves(...VERIFIED, human(2, 'enforced')),
  'human/compiles-what-is-verified': () => moves(...VERIFIED, human(2, 'compiled')),
  'human/compiles-what-is-enforced': () => moves(...VERIFIED, human(2, 'compiled'), human(2, 'enforced')),
  'human/enforces-a-candidate': () => refused(FIRST, human(2, 'enforced')),
  'human/compiles-a-candidate': () => refused(FIRST, human(2, 'compiled')),
  'human/enforces-what-expired': () => refused(...EXPIRED, human(8, 'enforced')),
  'human/enforces-what-is-compiled': () => refused(...VERIFIED, human(2, 'compiled'), human(3, 'enforced')),
  'human/enforces-twice': () => refused(...VERIFIED, human(2, 'enforced'), human(3, 'enforced')),
  'human/compiles-without-a-guard': () => written({ to: 'compiled' }),
  'human/verifies': () => written({ to: 'verified' }),

  'left-open/revocation': () => written({ kind: 'revoke' }),
  'left-open/merge': () => written({ kind: 'merge' }),
  'left-open/split': () => written({ kind: 'split' }),
  'left-open/probation': () => written({ to: 'probationary' }),
  'left-open/back-to-candidate': () => written({ to: 'candidate' }),
};
