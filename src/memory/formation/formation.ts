import type { Owner } from '../../fixture/history.js';
import type { CompletionParameters, ResolvedModel } from '../../provider/completion.js';

/** `supersede`: a later belief retires the one that it names, both kept and linked. `append`: nothing is retired. */
export type PersistenceMode = 'supersede' | 'append';

/** Everything that shapes formation but the provider behind it. */
export interface FormationSettings {
  readonly owner: Owner;
  /** A policy's name and version, e.g. `facts@1`. */
  readonly policy: string;
  readonly persistence: PersistenceMode;
  readonly model: ResolvedModel;
  readonly parameters: CompletionParameters;
  /** The fixture's id, for the request's metadata. */
  readonly fixture: string;
}

/** What forming a history did. */
export interface FormationOutcome {
  readonly calls: number;
  readonly beliefs: number;
  readonly people: number;
}
