import type { CivilTime } from '../../core/civil-time.js';
import type { Digest } from '../../core/digest.js';
import type { CompletionParameters, ResolvedModel } from '../../provider/completion.js';

/** All that a judge is shown (OB-7): no arm, no retrieval, no category, no score. Equal items are asked about once. */
export interface JudgedItem {
  readonly question: string;
  /** The question's present (FX-7). */
  readonly present: CivilTime;
  /** Any of these is right; empty where the question cannot be answered. */
  readonly expected: readonly string[];
  readonly answer: string;
}

/** How to judge: a prompt, bound by digest, and a model. */
export interface JudgeSettings {
  readonly prompt: { readonly name: string; readonly text: string; readonly digest: Digest };
  readonly model: ResolvedModel;
  readonly parameters: CompletionParameters;
}

/** What one call of a judge says. */
export interface Verdict {
  readonly correct: boolean;
  /** The judge's own words. Model text: hostile. */
  readonly reason: string;
}

/** Several verdicts on one item, as one. */
export interface Majority {
  readonly correct: boolean;
  /** The share of the verdicts that are the majority's, from 0.5 to 1. */
  readonly agreement: number;
}

/** More than half of the verdicts decide; a tie is incorrect, since an answer that half of the verdicts reject is not shown to be right. */
export function majorityOf(verdicts: readonly Pick<Verdict, 'correct'>[]): Majority {
  const correct = verdicts.filter((verdict) => verdict.correct).length;
  const wins = 2 * correct > verdicts.length;
  return { correct: wins, agreement: (wins ? correct : verdicts.length - correct) / verdicts.length };
}
