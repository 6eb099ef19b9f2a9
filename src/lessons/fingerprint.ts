import { z } from 'zod';
import { type Digest, digestJson } from '../core/digest.js';
import { digest, name, slug } from './values.js';

/** The stages of a run in which a question can fail. */
export const FAILURE_STAGES = ['formation', 'query', 'recall', 'context', 'reader', 'scoring', 'budget'] as const;
/** One of them. */
export type FailureStage = (typeof FAILURE_STAGES)[number];

/** The causes of a wrong answer (OB-6), and the stage that each belongs to. */
export const WRONG_ANSWER_STAGES = {
  'never-formed': 'formation',
  'wrongly-superseded': 'formation',
  'not-retrieved': 'recall',
  'cut-from-context': 'context',
  misread: 'reader',
} as const satisfies Readonly<Record<string, FailureStage>>;
/** A cause of a wrong answer. */
export type WrongAnswer = keyof typeof WRONG_ANSWER_STAGES;

const WRONG_ANSWERS = Object.keys(WRONG_ANSWER_STAGES) as [WrongAnswer, ...WrongAnswer[]];
/** Kinds of failure: a wrong answer by its cause, or no answer. */
export const FAILURE_KINDS = [...WRONG_ANSWERS, 'refused', 'failed'] as const;
/** One of them. */
export type FailureKind = (typeof FAILURE_KINDS)[number];

const isSortedSet = (texts: readonly string[]): boolean =>
  texts.every((text, place) => place === 0 || (texts[place - 1] as string) < text);

/** What the words of a question ask for. */
export const ASKS = ['who', 'when', 'where', 'what', 'which', 'how-many', 'how', 'why', 'yes-no', 'other'] as const;

/**
 * What makes two failures the same one: equal fields, nothing less and nothing like it; never free text. It holds what the run and the question
 * show, never a label (LE-6). Merging and splitting fingerprints is left open, as in the paper.
 */
export const fingerprintSchema = z
  .strictObject({
    format: z.literal('lesson-fingerprint@1'),
    stage: z.enum(FAILURE_STAGES).describe('where it failed'),
    failure: z.enum(FAILURE_KINDS),
    error_code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,99}$/)
      .nullable()
      .describe('the stable code of what went wrong, where there is no answer; null where there is a wrong one'),
    strategy: slug.nullable().describe('the retrieval in use; null where it has no part in the failure'),
    scope: z.strictObject({
      corpus: digest,
      subjects: z.array(name).refine(isSortedSet, 'expected sorted names, each once'),
      asks: z.enum(ASKS),
    }),
  })
  // Otherwise one failure could be written down in two ways, and would never recur.
  .refine(({ failure, stage }) => (stageOf(failure) ?? stage) === stage, 'expected the stage of this failure')
  .refine(
    ({ failure, error_code }) => (error_code === null) === (stageOf(failure) !== null),
    'expected an error code for refused and failed, and for nothing else',
  );
/** A structured fingerprint. */
export type Fingerprint = z.output<typeof fingerprintSchema>;

/** The stage that a wrong answer was lost in; null for a failure without an answer, which can happen in any. */
function stageOf(failure: FailureKind): FailureStage | null {
  return failure === 'refused' || failure === 'failed' ? null : WRONG_ANSWER_STAGES[failure];
}

/** A lesson's id: the digest of its fingerprint's canonical JSON, which its format's version is part of. */
export function lessonOf(fingerprint: Fingerprint): Digest {
  return digestJson(fingerprint);
}
