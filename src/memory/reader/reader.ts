import type { Digest } from '../../core/digest.js';
import type { Question } from '../../fixture/question.js';
import type { Completion, CompletionParameters, CompletionProvider, ResolvedModel } from '../../provider/completion.js';
import type { AssembledContext } from '../context/context.js';

/** A reader's prompt: a preset's or a file's text, bound by digest (RT-5). */
export interface ReaderPrompt {
  /** The preset's name, or the file's name as the matrix gives it. */
  readonly name: string;
  readonly text: string;
  readonly digest: Digest;
}

/** How to read. */
export interface ReaderSettings {
  readonly prompt: ReaderPrompt;
  readonly model: ResolvedModel;
  readonly parameters: CompletionParameters;
  readonly fixture: string;
}

/** What the reader said. */
export interface Reading {
  readonly answer: string;
  readonly abstained: boolean;
  readonly completion: Completion;
  /** Digest of the exact request. */
  readonly request: Digest;
}

/** Answers from the question, its present and the context alone (RT-5). */
export interface Reader {
  read(
    question: Question,
    context: AssembledContext,
    provider: CompletionProvider,
    signal: AbortSignal,
  ): Promise<Reading>;
}
