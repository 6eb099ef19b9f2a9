import type { Digest } from '../core/digest.js';
import type { LedgerResult, ProblemResult } from './experiment.js';

/** What `reproduce --json` prints (RP-1, docs/formats/run.md). */
export interface Reproduction {
  readonly format: 'reproduction@1';
  /** Its own folder, with its rows and its ledger. */
  readonly run: string;
  readonly path: string;
  readonly bank: Digest;
  readonly fixture: string;
  readonly arm: string;
  readonly against: ReproducedSource;
  /** What the bank binds, each found equal: where one differs, nothing is rebuilt (exit 5). */
  readonly bindings: readonly string[];
  readonly state: {
    readonly status: 'equal' | 'changed' | 'not-reached';
    readonly digest: Digest;
  };
  readonly questions: number;
  readonly retrieval: Compared;
  readonly context: Compared;
  readonly answers: Compared & {
    /** `read`: by a reader in this process; `replayed`: the past run's, whose exact request is equal; `none`. */
    readonly source: 'read' | 'replayed' | 'none';
  };
  /** The first ones. */
  readonly differences: readonly RowDifference[];
  readonly differences_in_all: number;
  /** What was not compared, and why. */
  readonly not_compared: readonly string[];
  readonly server: { readonly found: string; readonly expected: string | null };
  readonly ledger: LedgerResult;
  readonly problems: readonly ProblemResult[];
}

/** What a reproduction was compared with. */
export type ReproducedSource =
  | { readonly kind: 'run'; readonly run: string; readonly path: string }
  | { readonly kind: 'expected'; readonly path: string }
  | { readonly kind: 'nothing' };

/** Of so many questions (and repeats) that both have, so many are equal. */
export interface Compared {
  readonly compared: number;
  readonly equal: number;
}

/** One question at which something differs. */
export interface RowDifference {
  readonly question: string;
  readonly repeat: number;
  readonly field: 'retrieval' | 'context' | 'answer';
  readonly expected: string;
  readonly found: string;
}

/** What `bank expect --json` prints. */
export interface BankExpected {
  readonly format: 'bank-expected@1';
  readonly bank: Digest;
  readonly path: string;
  readonly arms: number;
  /** Arms whose remote reader searches itself: what they find is not known without asking (RT-8). */
  readonly left_out: readonly string[];
  /** Of each arm. */
  readonly questions: number;
  readonly problems: readonly ProblemResult[];
}
