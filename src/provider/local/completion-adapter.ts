import { readFile } from 'node:fs/promises';
import { canonicalJson } from '../../core/canonical-json.js';
import { digestBytes } from '../../core/digest.js';
import { invalidInput } from '../../core/errors.js';
import {
  type Completion,
  type CompletionAdapter,
  type CompletionRequest,
  type PreparedCall,
  ProviderFailure,
} from '../completion.js';
import { countTokens, rememberingCounter } from '../tokenizer.js';
import { NO_USAGE } from '../usage.js';
import { parseBody } from './body.js';
import { formWithin } from './former/within.js';
import { type LanguageResources, loadLanguage, type ReadBytes } from './language/resources.js';
import { ExtractiveReader } from './reader/reader.js';

/** The completion models that run in this process, each with the version that it reports (PR-1). A change of what one answers changes its version. */
export const LOCAL_COMPLETION_MODELS = { 'extractive-facts-1': '1.0.0', 'extractive-reader-1': '1.1.0' } as const;
type LocalModel = keyof typeof LOCAL_COMPLETION_MODELS;

/** What the adapter takes from outside. */
export interface LocalCompletionParts {
  /** Reads the dictionary's files. */
  readonly readBytes: ReadBytes;
}

/**
 * The `local` completion kind (PR-1): offline and deterministic. A call reads the bytes of its body and nothing else of the request, so it
 * knows what a remote model would know.
 *
 * @throws invalid input `LOCAL_MODEL_UNKNOWN` from `prepare`.
 */
export function localCompletionAdapter(
  parts: LocalCompletionParts = { readBytes: (path) => readFile(path) },
): CompletionAdapter {
  const answer = answerer(parts);
  return {
    leaves_process: false,
    prepare(request): PreparedCall<Completion> {
      assertKnown(request.model.model);
      const body = localBody(request);
      return {
        body_bytes: body.byteLength,
        body_digest: digestBytes(body),
        max_output_tokens: request.parameters.max_output_tokens,
        send: (signal) => answer(body, signal),
      };
    },
  };
}

/** The exact bytes of a call: all that the model sees. */
export function localBody(request: CompletionRequest): Uint8Array {
  const { messages, response_schema, parameters } = request;
  return new TextEncoder().encode(canonicalJson({ model: request.model.model, messages, response_schema, parameters }));
}

/** Answers bodies; loads what is heavy at the first one. */
export function answerer(parts: LocalCompletionParts): (body: Uint8Array, signal: AbortSignal) => Promise<Completion> {
  let loading: Promise<{ language: LanguageResources; reader: ExtractiveReader }> | null = null;
  const countInput = rememberingCounter();
  const load = async () => {
    const language = await loadLanguage(parts.readBytes);
    return { language, reader: new ExtractiveReader(language) };
  };
  return async (body, signal) => {
    stopIfCancelled(signal);
    loading ??= load();
    const { language, reader } = await loading;
    stopIfCancelled(signal);
    const { model, contents, message, limit } = parseBody(body);
    assertKnown(model);
    const output =
      model === 'extractive-facts-1'
        ? formWithin(message, language, limit, countTokens)
        : canonicalJson(reader.read(message));
    const outputTokens = countTokens(output);
    const inputTokens = contents.reduce((sum, content) => sum + countInput(content), 0);
    return {
      contents: [output],
      finish: outputTokens > limit ? 'length' : 'stop',
      tool_calls: 0,
      reported_model: `${model}@${LOCAL_COMPLETION_MODELS[model]}`,
      usage: { ...NO_USAGE, input_uncached: inputTokens, output: outputTokens },
    };
  };
}

function assertKnown(model: string): asserts model is LocalModel {
  if (Object.hasOwn(LOCAL_COMPLETION_MODELS, model)) return;
  throw invalidInput('LOCAL_MODEL_UNKNOWN', `The local provider has no completion model "${model}".`, {
    remedy: `Use one of: ${Object.keys(LOCAL_COMPLETION_MODELS).join(', ')}.`,
  });
}

function stopIfCancelled(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new ProviderFailure('cancelled', 'The local completion was cancelled.', {
    billing: 'not-billed',
    remedy: 'Run it again.',
  });
}
