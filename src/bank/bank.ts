import type { JsonObject } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';
import type { Owner } from '../fixture/history.js';
import type { PersistenceMode } from '../memory/formation/formation.js';
import type { CompletionParameters, RequestMetadata, ResolvedModel } from '../provider/completion.js';
import type { Usage } from '../provider/usage.js';

/** Bounds of a bank (FB-8): calls, and bytes of its file. */
export const BANK_LIMITS = { calls: 128, bytes: 8_388_608 } as const;

/** Everything that shapes a formation answer (FB-2): not the alias, key or folder. */
export interface FormationProfile {
  readonly kind: ResolvedModel['kind'];
  readonly wire_api: ResolvedModel['wire_api'];
  readonly endpoint: string;
  readonly model: string;
  readonly parameters: CompletionParameters;
}

/** What a bank binds (FB-2). Two matrices share a bank only where every part is equal (FB-12). */
export interface BankIdentity {
  readonly corpus: Digest;
  readonly owner: Owner;
  readonly policy: string;
  readonly profile: FormationProfile;
  readonly persistence: PersistenceMode;
  readonly implementation: Digest;
  /** From 1 (FB-18). */
  readonly replicate: number;
}

/** Digests that say what of a request changed, without its text a second time (FB-3, FB-5). */
export interface RequestParts {
  /** One a message, role and content. */
  readonly messages: readonly Digest[];
  readonly schema: Digest;
  readonly parameters: Digest;
}

/** A request's identity. */
export interface RequestIdentity {
  /** Over the sent parts and the resolved model, less the exclusion list. */
  readonly digest: Digest;
  readonly parts: RequestParts;
  /** Never sent; bound beside the digest. */
  readonly metadata: RequestMetadata;
}

/** One recorded call. */
export interface BankCall {
  readonly request: RequestIdentity;
  /** The resolved model, less the exclusion list. */
  readonly resolved: Omit<ResolvedModel, 'resolved_at' | 'credential_ref'>;
  readonly reported_model: string | null;
  readonly finish: 'stop';
  /** The assistant's text, exactly. */
  readonly output: string;
  readonly usage: Usage | null;
  /** How many attempts it took, the supported one included. */
  readonly attempts: number;
}

/** One history's formation completions, recorded once (FB-1). Its file is exactly its canonical JSON and a line feed (FB-10). */
export interface Bank {
  readonly format: 'formation-bank@1';
  /** The version of the request-identity algorithm (FB-3). */
  readonly identity_algorithm: 'request-identity@1';
  readonly identity: BankIdentity;
  readonly calls: readonly BankCall[];
  readonly call_count: number;
  readonly attempt_count: number;
  readonly state: { readonly digest: Digest; readonly beliefs: number; readonly people: number };
  /** The interrupted recording whose completions this one took over (FB-9); left out where there was none. */
  readonly continues?: ContinuedJournal | undefined;
  /** ISO instant. */
  readonly recorded_at: string;
  /** Over everything else. */
  readonly digest: Digest;
}

/** An interrupted recording that a later one continued. */
export interface ContinuedJournal {
  /** Over the bytes of its journal, as it lies in `failed/`. */
  readonly journal: Digest;
  /** How many of its completions were taken over. */
  readonly completions: number;
}

/** A completed bank in a folder. */
export interface BankFile {
  readonly path: string;
  readonly bytes: number;
  readonly bank: Bank;
}

/** What a folder holds for an identity. */
export type BankLookup =
  | { readonly kind: 'found'; readonly file: BankFile }
  /** None fits. `nearest` are completed banks of the same fixture, each with the identity fields that differ. */
  | {
      readonly kind: 'none';
      readonly nearest: readonly { readonly file: BankFile; readonly differs: readonly string[] }[];
    };

/** An interrupted or failed recording, as `bank list` shows it. */
export interface PendingRecording {
  readonly path: string;
  readonly fixture: string;
  readonly identity: BankIdentity;
  readonly reserved: number;
  readonly completed: number;
  /**
   * `failed` where it was decided (failed or abandoned), `continued` where another took its completions over and it was set aside, `recording`
   * while its process lives, `interrupted` otherwise.
   */
  readonly status: 'recording' | 'interrupted' | 'failed' | 'continued';
  readonly reason: string | null;
  readonly header: JsonObject;
}
