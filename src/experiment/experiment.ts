import type { Digest } from '../core/digest.js';
import type { ErrorKind } from '../core/errors.js';
import type { StateDifference } from '../parity/parity.js';
import type { ChangedLabels } from './changed-labels.js';
import type { JudgedRows, JudgingResult } from './judging/judging-report.js';
import type { AnalysisResult } from './summary/analysis-result.js';
import type { ArmMisses } from './summary/arm-misses.js';
import type { BetweenBanks } from './summary/between-banks.js';
import type { LessonsResult } from './summary/lessons-result.js';
import type { LookupMisses } from './vectors/lookup-misses.js';
import type { QueryTally } from './vectors/query-tally.js';

export { type Observation, observationSchema } from './asking/observation.js';
export type {
  BankDescription,
  BankListDocument,
  PlannedCost,
  PlannedVectors,
  RunPlan,
  VectorBankDescription,
} from './documents.js';
export type { JudgeResult, JudgingResult } from './judging/judging-report.js';
export type { ObservedCell, ObservedFixture, ObservedRun } from './observed-run.js';
export type { LessonBook, LessonLine, RunLessons } from './run-lessons.js';
export type { BetweenBanks } from './summary/between-banks.js';
export type { LessonPairs } from './summary/lessons-result.js';

/** What `run --json` prints (DESIGN). Amounts are integers of nano-dollars; null is unknown or unpriced, never 0. */
export interface RunResult {
  readonly format: 'run-result@1';
  readonly run: string;
  readonly path: string;
  readonly matrix: Digest;
  readonly status: RunStatus;
  /** The command that continues the run (CL-3); null where it is complete, and after a breach (LG-9), which nothing continues. */
  readonly resume: string | null;
  /** Banks of each fixture (FB-18); null where there are none. */
  readonly replicates: number | null;
  /** One a fixture and replicate. */
  readonly formation: readonly FormationResult[];
  readonly arms: readonly ArmResult[];
  readonly ledger: LedgerResult;
  /** Null where no query was prepared for any arm. */
  readonly query_preparation: QueryTally | null;
  /** Null where no arm injects lessons (LE-6). */
  readonly lessons: LessonsResult | null;
  readonly analysis: AnalysisResult;
  /** Fixtures whose answers are scored by labels that were changed after them: nothing of the run is as it was planned then (MX-8). */
  readonly changed_labels: readonly ChangedLabels[];
  /** Null where no scorer is a judge. */
  readonly judging: JudgingResult | null;
  /** Models that reported more than one name within the run (PR-4). */
  readonly model_changes: readonly ModelChange[];
  /** What an arm that always abstains would score on this load, for scale (OB-6). Null: n/a. */
  readonly always_abstain: { readonly [scorer: string]: number | null };
  /** Why the run is not complete, in the order in which it happened. */
  readonly problems: readonly ProblemResult[];
}

export type RunStatus = 'complete' | 'incomplete' | 'refused';
export type ArmStatus = 'complete' | 'refused' | 'failed' | 'incomplete';
/** `not-applicable`: there was no formation. `not-reached`: the gate was not come to. */
export type ParityStatus = 'equal' | 'changed' | 'unpaired' | 'not-applicable' | 'not-reached';
/** `none`: there is no formation. */
export type FormationSource = 'recorded' | 'replayed' | 'live' | 'none' | 'failed';

export interface FormationResult {
  readonly fixture: string;
  /** From 1 (FB-18). */
  readonly replicate: number;
  readonly corpus: Digest;
  readonly bank: Digest | null;
  /** Of the beliefs; of the turns where no arm searches beliefs by vectors; null where no bank was used. */
  readonly vector_bank: Digest | null;
  /** Each unit that arms search by vectors. */
  readonly vectors: readonly VectorResult[];
  readonly source: FormationSource;
  /** Calls in the bank, or made live in all cells. */
  readonly calls: number;
  readonly attributed_nano_usd: number | null;
  /** What this run paid. Of live formation it is a part of the arms' own actual cost, not beside it. */
  readonly actual_nano_usd: number;
  /** Held for calls of the recording whose bill is not known. */
  readonly uncertain_nano_usd: number;
  /** What this run paid for vectors: of items (index) and of questions (query), for all arms together (LG-12). */
  readonly embedding: { readonly index: ActualCost; readonly query: ActualCost };
  /** The one state of all cells; null where live ones differ. */
  readonly state: Digest | null;
  /** What each arm formed live, and how it differs from the first arm's (FB-16); null where nothing was formed live. */
  readonly live_states: readonly LiveState[] | null;
  readonly reported_models: readonly string[];
  readonly review: 'unreviewed' | 'reviewed' | 'changed-since-review';
}

/** What was sent and paid, by the run's ledger; a replay is none of it. */
export interface ActualCost {
  readonly sends: number;
  readonly actual_nano_usd: number;
  readonly uncertain_nano_usd: number;
}

/** Where the vectors of a fixture's beliefs or turns came from. */
export interface VectorResult {
  readonly unit: 'beliefs' | 'turns';
  /** `embedded`: for this run alone, without a bank. */
  readonly source: 'replayed' | 'recorded' | 'embedded' | 'failed';
  readonly vector_bank: Digest | null;
  /** Texts in the bank; null where there is none. */
  readonly items: number | null;
  /** Question vectors that the bank pins. */
  readonly queries: number;
}

/** One arm's own beliefs. */
export interface LiveState {
  readonly arm: string;
  readonly calls: number;
  readonly actual_nano_usd: number;
  /** Null where formation failed; so are the counts. */
  readonly state: Digest | null;
  readonly beliefs: number | null;
  readonly people: number | null;
  /** The first arm with a state, where this one's is another; null where it is the same. */
  readonly differs_from: string | null;
  /** The first difference, as the parity gate names one: `expected` is that arm's. */
  readonly difference: StateDifference | null;
}

/** A model that changed its name between calls of one run. */
export interface ModelChange {
  readonly stage: 'formation' | 'reader' | 'judge';
  readonly requested: string;
  /** In the order of their first use. */
  readonly reported: readonly string[];
}

export interface ScoreDetail {
  /** Over questions, each averaged over its repeats and replicates first. Failures of the arm's own making count as zero. */
  readonly mean: number | null;
  readonly mean_without_failures: number | null;
  /** Rows in `mean`. */
  readonly n: number;
  /** Questions in `mean`. */
  readonly questions: number;
  /** Rows in `mean` that failed. */
  readonly failed: number;
  /** The interval of `mean` over new conversations of the same dataset (RP-3), not cut at 0 and 1; both null where nothing tells. */
  readonly lo: number | null;
  readonly hi: number | null;
  /** How the interval was reckoned, or why there is none. */
  readonly method: string;
  /** Conversations with the score. */
  readonly clusters: number;
}

/** Null: unknown, or unpriced. */
export interface ArmCosts {
  /** Formation share and index, of one bank: paid once. With replicates it is their mean, rounded up. */
  readonly fixed_nano_usd: number | null;
  /** Query preparation and reader, a question, rounded up. */
  readonly marginal_nano_usd: number | null;
  /** From how many questions on the arm costs no more than full-history; null: never, unknown, or no such arm. */
  readonly break_even_questions: number | null;
}

export interface ArmResult {
  readonly arm: string;
  readonly status: ArmStatus;
  readonly reason: string | null;
  readonly reference: boolean;
  readonly oracle: boolean;
  /** The arm that this one runs a second time (RP-8); null where it is none such. */
  readonly aa_of: string | null;
  readonly unit: 'beliefs' | 'turns' | null;
  readonly recall: 'automatic' | 'deliberate';
  /** Searches that deliberate readers made, in all rows (RT-8). */
  readonly searches: number;
  /** Any fallback: a lookup missed, but for what the matrix switched off. */
  readonly degraded: boolean;
  readonly lookup_misses: LookupMisses;
  /** Rows that there are to be: questions, repeats and replicates. */
  readonly questions: number;
  readonly answered: number;
  /** Failures of the arm's own making. */
  readonly failed: number;
  /** Rows that the provider or the budget lost: in no mean. */
  readonly lost: number;
  readonly abstained: number;
  readonly replayed_calls: number;
  readonly parity: ParityStatus;
  readonly scores: { readonly [scorer: string]: number | null };
  readonly score_details: { readonly [scorer: string]: ScoreDetail };
  /** Of the primary scorer; null where each fixture has one bank, or none: then every score is given that bank (FB-18). */
  readonly between_banks: BetweenBanks | null;
  readonly by_category: { readonly [category: string]: { readonly [scorer: string]: ScoreDetail } };
  readonly by_answerable: {
    readonly [kind in 'answerable' | 'unanswerable']: { readonly [scorer: string]: ScoreDetail };
  };
  /** Null where no arm of the run injects lessons. */
  readonly lessons: ArmLessons | null;
  readonly misses: ArmMisses;
  /** By judge (OB-7). */
  readonly judging: { readonly [judge: string]: JudgedRows };
  readonly context_tokens: { readonly p50: number | null; readonly p95: number | null; readonly mean: number | null };
  readonly attributed_nano_usd: number | null;
  readonly costs: ArmCosts;
  readonly actual_nano_usd: number;
  readonly uncertain_nano_usd: number;
  /** Names that the reader reported, in the order of their first use (PR-4). */
  readonly reported_models: readonly string[];
}

/** What a run's rows owe to lessons, by arm: also of an arm that injects none, whose questions are the same (LE-6). */
export interface ArmLessons {
  /** Rows with a lesson in their context. */
  readonly injected_rows: number;
  /** Scores over the questions that lessons were learnt from. */
  readonly in_sample: { readonly [scorer: string]: ScoreDetail };
  /** Over all others. */
  readonly out_of_sample: { readonly [scorer: string]: ScoreDetail };
}

export interface LedgerResult {
  readonly limit_nano_usd: number;
  readonly spent_nano_usd: number;
  readonly held_nano_usd: number;
  readonly uncertain_nano_usd: number;
  readonly sends: number;
  /** A cost exceeded its reservation: admission has stopped (LG-9). */
  readonly breached: boolean;
  readonly by_arm_and_stage: readonly StageSums[];
}

/** What one stage of one arm took (LG-6, OB-3). */
export interface StageSums {
  /** Null for what all arms share. */
  readonly arm: string | null;
  readonly stage: string;
  readonly sends: number;
  readonly spent_nano_usd: number;
  readonly held_nano_usd: number;
  readonly uncertain_nano_usd: number;
}

export interface ProblemResult {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
  readonly fixture: string | null;
  readonly arm: string | null;
}

/** What a run tells while it goes on. */
export type RunEvent =
  | { readonly kind: 'note'; readonly text: string }
  | {
      readonly kind: 'stage';
      readonly stage: string;
      readonly done: number;
      readonly total: number;
      readonly spent_nano_usd: bigint;
      readonly held_nano_usd: bigint;
      /** How long the rest of the stage will take, where that can be said. */
      readonly remaining_ms: number | null;
    };

/** Hears of a run's progress; prints, or not. */
export type Progress = (event: RunEvent) => void;

/** What `record --json` prints. */
export interface RecordResult {
  readonly format: 'record-result@1';
  /** Its ledger lies there: recording on its own opens an allowance of its own (LG-1). */
  readonly run: string;
  readonly path: string;
  readonly matrix: Digest;
  readonly status: 'complete' | 'incomplete';
  readonly formation: readonly FormationResult[];
  readonly ledger: LedgerResult;
  readonly problems: readonly ProblemResult[];
}
