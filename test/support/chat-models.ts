import { readFile } from 'node:fs/promises';
import { answerer } from '../../src/provider/local/completion-adapter.js';
import type { ChatRequest, OpenAiServer, ReceivedRequest } from './openai-server/index.js';

/** Which of the three kinds of request a body is (docs/formats/model-requests.md). */
export function stageOf(body: unknown): 'formation' | 'reader' | 'judge' {
  const name = (body as ChatRequest).response_format?.json_schema?.name;
  if (name === 'formation_facts') return 'formation';
  if (name === 'reading') return 'reader';
  if (name === 'judgement') return 'judge';
  throw new Error(`a request of no known kind: ${name}`);
}

/** What a server received of a stage. */
export function received(server: OpenAiServer, stage: 'formation' | 'reader' | 'judge'): ReceivedRequest[] {
  return server.requests.filter(({ body }) => stageOf(body) === stage);
}

/** The user message of a request, read. */
export function userMessage(body: unknown): Record<string, unknown> {
  return JSON.parse((body as ChatRequest).messages.at(-1)?.content ?? 'null') as Record<string, unknown>;
}

/** Answers as the real local former and reader do, from the request's bytes alone. */
export function realModels(): (request: ChatRequest) => Promise<string> {
  const answer = answerer({ readBytes: (path) => readFile(path) });
  const known = new Map<string, Promise<string>>();
  return (request) => {
    const body = JSON.stringify({
      model: stageOf(request) === 'formation' ? 'extractive-facts-1' : 'extractive-reader-1',
      messages: request.messages,
      parameters: { max_output_tokens: request.max_completion_tokens },
    });
    const before = known.get(body);
    if (before !== undefined) return before;
    const made = answer(new TextEncoder().encode(body), new AbortController().signal).then(
      ({ contents }) => contents[0] as string,
    );
    known.set(body, made);
    return made;
  };
}

interface Turn {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
}

/**
 * One belief a turn and one person a speaker; the reader repeats its last line of context; the judge looks for an expected answer's words in the
 * answer, or, as `judge-2`, holds the opposite.
 */
export function simpleModels(decorate: (statement: string, index: number) => string = (statement) => statement) {
  return (request: ChatRequest, index: number): string => {
    const stage = stageOf(request);
    if (stage === 'formation') return formed(request, (text) => decorate(text, index));
    return stage === 'reader' ? read(request) : judged(request);
  };
}

function judged(request: ChatRequest): string {
  const { expected, answer } = userMessage(request) as { expected: string[]; answer: string };
  const holds = expected.some((text) => answer.toLowerCase().includes(text.toLowerCase()));
  const correct = request.model === 'judge-2' ? !holds : holds;
  return JSON.stringify({ reason: 'compared', verdict: correct ? 'correct' : 'incorrect' });
}

function formed(request: ChatRequest, decorate: (statement: string) => string): string {
  const turns = userMessage(request).turns as Turn[];
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))];
  return JSON.stringify({
    beliefs: turns.map(({ id, speaker, text }) => ({
      confidence: 0.9,
      observed_at: null,
      sources: [id],
      statement: decorate(`${speaker} said: ${text}`),
      subjects: [speaker],
      supersedes: [],
    })),
    people: speakers.map((name) => ({
      aliases: [],
      name,
      role: null,
      sources: turns.filter(({ speaker }) => speaker === name).map(({ id }) => id),
    })),
  });
}

function read(request: ChatRequest): string {
  const context = userMessage(request).context as string[];
  const answer = context.at(-1)?.replace(/^.*said: /, '') ?? '';
  return JSON.stringify({ abstains: answer === '', answer });
}
