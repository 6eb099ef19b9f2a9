import type { CompletionRequest } from '../../provider/completion.js';
import type { CurrentBelief, CurrentState, StoredTurn } from '../beliefs/belief-store.js';
import type { FormationSettings } from './formation.js';
import type { FormationPolicy, ShownState } from './formation-policy.js';
import { formationSchema } from './response-schema.js';

/** A batch as it is about to be asked. */
export interface BatchToForm {
  readonly id: string;
  readonly is_correction: boolean;
  /** In their present form, in order; at least one. */
  readonly turns: readonly StoredTurn[];
}

/** A request with what its completion may refer to. */
export interface FormationRequest {
  readonly request: CompletionRequest;
  /** The shown beliefs by reference, `B1` to `Bn` in store order. */
  readonly shown: ReadonlyMap<string, CurrentBelief>;
}

/**
 * The request of one batch, as `docs/formats/model-requests.md` has it. It is a function of the policy, the batch and the present
 * state alone: no label and no clock can reach it (FX-3, FX-7).
 */
export async function formationRequest(
  policy: FormationPolicy,
  settings: FormationSettings,
  batch: BatchToForm,
  current: CurrentState,
): Promise<FormationRequest> {
  const chosen = await policy.chooseBeliefs(current.beliefs, batch.turns);
  const shown = new Map(chosen.map((belief, index) => [`B${index + 1}`, belief]));
  const content = await policy.requestText(shownState(shown, batch, current));
  const request: CompletionRequest = {
    messages: [
      { role: 'system', content: policy.instructions },
      { role: 'user', content },
    ],
    response_schema: formationSchema(
      batch.turns.map((turn) => turn.id),
      [...shown.keys()],
    ),
    parameters: settings.parameters,
    model: settings.model,
    metadata: { stage: 'formation', fixture: settings.fixture, batch: batch.id, question: null },
  };
  return { request, shown };
}

function shownState(shown: ReadonlyMap<string, CurrentBelief>, batch: BatchToForm, current: CurrentState): ShownState {
  return {
    beliefs: [...shown].map(([ref, { statement, subjects, observed_at }]) => ({
      ref,
      statement,
      subjects,
      observed_at,
    })),
    people: current.people.map(({ name, aliases, role }) => ({ name, aliases, role })),
    turns: batch.turns.map(({ id, at, speaker, text, caption }) => ({
      id,
      at,
      speaker,
      text,
      caption,
      corrected: batch.is_correction,
    })),
  };
}
