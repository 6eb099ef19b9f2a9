import type { BankIdentity, ContinuedJournal, PendingRecording } from '../bank/bank.js';
import type { PendingVectorRecording } from '../bank/unfinished-vectors.js';
import type { VectorBankIdentity } from '../bank/vector-bank.js';
import type { Digest } from '../core/digest.js';
import type { Usage } from '../provider/usage.js';

/** What `plan --json` prints (MX-6). */
export interface RunPlan {
  readonly format: 'plan@1';
  readonly matrix: Digest;
  readonly budget_nano_usd: number;
  readonly blocks: readonly PlannedBlock[];
  readonly arms: readonly PlannedArm[];
  readonly formation: PlannedCost;
  /** Vectors of items that no vector bank holds; estimated where the beliefs are still to be formed. */
  readonly index: PlannedCost;
  /** Vectors of questions that no vector bank pins. */
  readonly query: PlannedCost;
  readonly reader: PlannedCost;
  /** Each judge at one item an answer and label; fewer where answers are equal, or the reader abstains. */
  readonly judges: readonly PlannedJudge[];
  readonly judging: PlannedCost;
  readonly total: PlannedCost;
  /** What preparing vectors needs, and whether the ceilings of embedding admit it (SQ-9). */
  readonly embedding: PlannedEmbedding;
  /** What is drawn of the load, where a sample is asked (MX-9). */
  readonly sample: PlannedSample | null;
  /** By the budget alone. */
  readonly admitted_by_budget: Admission;
  /** By the budget and by the ceilings of embedding. */
  readonly admitted: Admission;
  readonly notes: readonly string[];
}

/** `no`: something could never be admitted, and a run refuses; `unknown`: a price is missing. */
export type Admission = 'yes' | 'not-the-worst-case' | 'no' | 'unknown';

export interface PlannedEmbedding {
  /** Requests for the vectors of questions, each of a group; 0 where they do not leave this process. */
  readonly sends: number;
  /** Questions of arms with vectors that no vector bank pins. */
  readonly questions: number;
  /** Null where nothing leaves this process to be embedded. */
  readonly ceilings: { readonly request_nano_usd: number; readonly day_nano_usd: number } | null;
  /** Those who need a request. */
  readonly owners: readonly PlannedOwner[];
  readonly admitted: Admission;
}

/** What one owner's vectors need, in whole quanta of the owner's ledger; what was spent today is not looked at. */
export interface PlannedOwner {
  readonly tenant: string;
  readonly principal: string;
  readonly requests: number;
  /** At worst. */
  readonly largest_request_nano_usd: number;
  readonly expected_nano_usd: number;
  readonly worst_nano_usd: number;
  readonly admitted: Admission;
}

/** A draw of questions, stratum by stratum. */
export interface PlannedSample {
  readonly size: number;
  readonly seed: string;
  /** Questions that the sample is drawn of. */
  readonly of: number;
  readonly strata: readonly {
    readonly fixture: string;
    readonly category: string;
    readonly drawn: number;
    readonly of: number;
  }[];
}

export interface PlannedBlock {
  readonly fixture: string;
  /** From 1 (FB-18). */
  readonly replicate: number;
  readonly corpus: Digest;
  readonly questions: number;
  readonly formation_calls: number;
  readonly bank: 'replay' | 'record' | 'live' | 'none';
  readonly digest: Digest | null;
  /** Banks of this history that do not fit, with what differs. */
  readonly nearest: readonly { readonly digest: Digest; readonly differs: readonly string[] }[];
  readonly vectors: readonly PlannedVectors[];
}

export interface PlannedArm extends PlannedCost {
  readonly arm: string;
}

export interface PlannedJudge extends PlannedCost {
  readonly judge: string;
}

/** Null: unpriced. */
export interface PlannedCost {
  /** Calls in all; those beyond `sends` run in this process. */
  readonly calls: number;
  readonly sends: number;
  readonly expected_nano_usd: number | null;
  readonly worst_nano_usd: number | null;
}

/** What is to be done about the vectors of a fixture's beliefs or turns (VB-1). */
export interface PlannedVectors {
  readonly unit: 'beliefs' | 'turns';
  /** `embed`: for the run alone, without a bank. */
  readonly action: 'replay' | 'record' | 'embed';
  readonly digest: Digest | null;
  /** Texts whose vectors an interrupted recording has kept: it goes on behind them. Null where it begins, or nothing is recorded. */
  readonly kept: number | null;
  readonly nearest: readonly { readonly digest: Digest; readonly differs: readonly string[] }[];
}

/** A bank as `bank show` gives it (FB-15). */
export interface BankDescription {
  readonly format: 'bank-description@1';
  readonly path: string;
  readonly digest: Digest;
  readonly bytes: number;
  readonly identity: BankIdentity;
  readonly calls: number;
  readonly attempts: number;
  /** Null where a call's usage is not known. */
  readonly usage: Usage | null;
  /** Null: unpriced. */
  readonly attributed_nano_usd: number | null;
  readonly reported_models: readonly string[];
  readonly state: { readonly digest: Digest; readonly beliefs: number; readonly people: number };
  /** The interrupted recording whose completions it took over; null where there was none. */
  readonly continues: ContinuedJournal | null;
  readonly recorded_at: string;
}

/** A vector bank as `bank show` gives it. */
export interface VectorBankDescription {
  readonly format: 'vector-bank-description@1';
  readonly path: string;
  readonly digest: Digest;
  readonly bytes: number;
  readonly identity: VectorBankIdentity;
  readonly items: number;
  readonly queries: number;
  /** Of all items, and of all queries; null where one is not known. */
  readonly usage: Usage | null;
  readonly query_usage: Usage | null;
  /** Of the items, as one call; null: unpriced. */
  readonly attributed_nano_usd: number | null;
  readonly reported_models: readonly string[];
}

/** A folder as `bank list` gives it (FB-15). */
export interface BankListDocument {
  readonly format: 'bank-list@1';
  readonly path: string;
  readonly banks: readonly BankDescription[];
  readonly vector_banks: readonly VectorBankDescription[];
  /** Recordings of vectors that are not sealed, and abandoned ones. */
  readonly pending_vectors: readonly PendingVectorRecording[];
  readonly pending: readonly PendingRecording[];
  readonly failed: readonly PendingRecording[];
  readonly broken: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

/** What `bank abandon` did (FB-9). */
export interface BankAbandonment {
  readonly format: 'bank-abandonment@1';
  readonly journal: string;
  readonly reason: string;
  /** Null where its bank is complete, so that nothing was abandoned. */
  readonly moved_to: string | null;
}
