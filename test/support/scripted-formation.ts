import type pg from 'pg';
import type { HistoryEvent, Sensitivity, TurnEvent } from '../../src/fixture/history.js';
import { formHistory } from '../../src/memory/formation/form-history.js';
import type { FormationOutcome, FormationSettings } from '../../src/memory/formation/formation.js';
import type { Completion, CompletionProvider, CompletionRequest } from '../../src/provider/completion.js';

/** A belief of a scripted completion; what is left out has a plain value. */
export interface ScriptedBelief {
  readonly statement: string;
  readonly sources: readonly string[];
  readonly subjects?: readonly string[];
  readonly confidence?: number;
  readonly observed_at?: string | null;
  readonly supersedes?: readonly string[];
}

/** A person of a scripted completion. */
export interface ScriptedPerson {
  readonly name: string;
  readonly sources: readonly string[];
  readonly aliases?: readonly string[];
  readonly role?: string | null;
}

/** What a batch is answered; a text is given as it is. Batches without an entry are answered with empty lists. */
export type Script = Readonly<
  Record<string, string | { readonly beliefs?: readonly ScriptedBelief[]; readonly people?: readonly ScriptedPerson[] }>
>;

/** The user message of a formation request. */
export interface ShownToFormation {
  readonly beliefs: readonly { readonly ref: string; readonly statement: string; readonly observed_at: string }[];
  readonly people: readonly {
    readonly name: string;
    readonly aliases: readonly string[];
    readonly role: string | null;
  }[];
  readonly turns: readonly { readonly id: string; readonly text: string; readonly corrected: boolean }[];
}

export const SCRIPTED_SETTINGS: FormationSettings = {
  owner: { tenant: 'tenant-a', principal: 'principal-a' },
  policy: 'facts@1',
  persistence: 'supersede',
  model: {
    kind: 'local',
    wire_api: 'in-process',
    endpoint: 'scripted',
    model: 'scripted-1',
    resolved_at: '2026-01-01T00:00:00.000Z',
    credential_ref: null,
  },
  parameters: { max_output_tokens: 2048, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
  fixture: 'scripted',
};

/** A provider that answers by batch and keeps what it was asked. */
export class ScriptedProvider implements CompletionProvider {
  readonly requests: CompletionRequest[] = [];
  readonly #script: Script;
  readonly #changes: Partial<Completion>;

  constructor(script: Script, changes: Partial<Completion> = {}) {
    this.#script = script;
    this.#changes = changes;
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    this.requests.push(request);
    const answer = this.#script[String(request.metadata.batch)] ?? {};
    const content = typeof answer === 'string' ? answer : completionText(answer);
    return {
      contents: [content],
      finish: 'stop',
      tool_calls: 0,
      reported_model: null,
      usage: null,
      ...this.#changes,
    };
  }

  /** What the request of a batch showed. */
  shown(batch: string): ShownToFormation {
    const request = this.requests.find((candidate) => candidate.metadata.batch === batch);
    if (request === undefined) throw new Error(`no request for ${batch}`);
    return JSON.parse(request.messages[1]?.content ?? '');
  }
}

function completionText(answer: Exclude<Script[string], string>): string {
  return JSON.stringify({
    beliefs: (answer.beliefs ?? []).map((belief) => ({
      subjects: [],
      confidence: 0.9,
      observed_at: null,
      supersedes: [],
      ...belief,
    })),
    people: (answer.people ?? []).map((person) => ({ aliases: [], role: null, ...person })),
  });
}

/** A turn; its session is the part of its id before the colon, its time grows with the session and the place. */
export function turn(
  id: string,
  speaker: string,
  text: string,
  { sensitivity = 'internal', caption = null }: { sensitivity?: Sensitivity; caption?: string | null } = {},
): TurnEvent {
  const [session, place] = id.split(':') as [string, string];
  const at = `2024-0${session.slice(1)}-01T10:${place.padStart(2, '0')}:00`;
  return { kind: 'turn', id, session, at, speaker, text, caption, sensitivity };
}

/** Forms a history from a script, with settings changed where given. */
export function formScripted(
  pool: pg.Pool,
  history: readonly HistoryEvent[],
  provider: CompletionProvider,
  changes: Partial<FormationSettings> = {},
): Promise<FormationOutcome> {
  return formHistory(pool, history, { ...SCRIPTED_SETTINGS, ...changes }, provider, new AbortController().signal);
}
