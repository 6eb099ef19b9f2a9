import type { CivilTime } from '../core/civil-time.js';
import type { Digest } from '../core/digest.js';
import type { SourceLocation } from '../core/errors.js';
import type { Sensitivity } from '../fixture/history.js';
import type { SampleSettings } from '../fixture/sample-questions.js';
import type { PersistenceMode } from '../memory/formation/formation.js';
import type { RecallMode, RecallUnit, Strategy } from '../memory/memory.js';
import type { CompletionParameters } from '../provider/completion.js';
import type { OutputLimitField } from '../provider/openai/chat-completions-body.js';
import type { PriceEntry } from '../provider/prices.js';
import type { RetryRule } from '../provider/retry-rule.js';

export type { PriceEntry, PriceTier } from '../provider/prices.js';

/** What to do about banks (MX-5, FB-16). */
export type BankMode = 'record-if-missing' | 'replay-only' | 'record-only' | 'off';

/** Where vector banks lie, and what to do about them (VB-1). */
export interface VectorBankSettings {
  readonly directory: string;
  readonly bank: 'record-if-missing' | 'replay-only' | 'off';
  /** By fixture id and unit: a vector bank pinned by digest. */
  readonly pinned: { readonly [fixture: string]: { readonly beliefs: Digest | null; readonly turns: Digest | null } };
}

/** One configured provider. Environment variables are named, never read into this (MX-4). */
export type ProviderEntry = { readonly kind: 'local' } | { readonly kind: 'transcript' } | RemoteProviderEntry;

/** A provider that is sent to. */
export type RemoteProviderEntry = RemoteSettings &
  (
    | {
        readonly kind: 'openai';
        readonly wire_api: 'chat-completions' | 'responses';
        /** Of Chat Completions alone. */
        readonly output_limit_field: OutputLimitField;
      }
    | { readonly kind: 'anthropic'; readonly wire_api: 'messages' }
  );

/** What every provider that is sent to is told. */
export interface RemoteSettings {
  /** Without a trailing slash, e.g. `https://api.openai.com/v1`. Null where `url_env` names a variable that holds it. */
  readonly base_url: string | null;
  readonly url_env: string | null;
  /** The stable name that stands for the endpoint in identities; null: the URL itself does. */
  readonly endpoint_name: string | null;
  readonly api_key_env: string | null;
  /** Where it keeps and handles what is sent to it, as the user knows it (SQ-7); absent where none is stated. */
  readonly region?: string;
  readonly timeout_ms: number;
  /** The fixed overhead of LG-2, in tokens a request. */
  readonly overhead_tokens: number;
  /** Bounds of what is begun within any minute (PR-2); null: none. */
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly retry: RetryRule;
}

/** Whether a provider is sent to: such calls are priced, reserved, and need the variables that the entry names. */
export function isRemote<Entry extends { readonly kind: ProviderEntry['kind'] }>(
  entry: Entry | undefined,
): entry is Extract<Entry, { readonly kind: 'openai' | 'anthropic' }> {
  return entry?.kind === 'openai' || entry?.kind === 'anthropic';
}

/** A model behind a provider, with every parameter. */
export interface ModelChoice {
  /** The alias under `providers`. */
  readonly provider: string;
  readonly model: string;
  readonly parameters: CompletionParameters;
}

/** The model that embeds. */
export interface EmbeddingChoice {
  readonly provider: string;
  readonly model: string;
  /** The length of a vector: of a provider that is sent to alone. */
  readonly dimensions?: number | undefined;
  /** Whether it is sent, for a model that can shorten its vectors. */
  readonly send_dimensions?: boolean | undefined;
}

/** What an owner's embeddings may cost, in nano-dollars as text (SQ-9). */
export interface CeilingSettings {
  readonly request_nano_usd: string;
  readonly day_nano_usd: string;
}

/** What prepares the vectors of questions. */
export interface PreparationSettings {
  readonly embedding: EmbeddingChoice;
  /** What the caller takes every question and item to be at least (SQ-6, SQ-7). */
  readonly sensitivity_floor: Sensitivity;
  /** Only where embedding leaves the process (SQ-9). */
  readonly ceilings?: CeilingSettings;
}

/** Which questions, in order (MX-5). */
export interface LoadSettings {
  readonly questions: 'all' | readonly string[];
  /** Null: every category. */
  readonly categories: readonly string[] | null;
  readonly repeats: number;
  readonly sample: SampleSettings | null;
}

/** One arm (RT-1). */
export interface ArmSettings {
  readonly name: string;
  readonly retrieval: {
    readonly strategy: Strategy;
    readonly unit: RecallUnit;
    /** Null for `none`, `full-history` and `evidence`. */
    readonly limit: number | null;
    readonly mode: RecallMode['name'];
    /** Of mode `historical` alone. */
    readonly as_of?: 'question' | CivilTime;
    /** Of mode `core` alone. */
    readonly core_size?: number;
    readonly read_ceiling: Sensitivity;
    /** Of `module` and `file` alone: the file, relative to the matrix file. */
    readonly path?: string;
    /** Of what `path` names; a module's covers what it imports too. */
    readonly digest?: Digest;
  };
  /** `full-history` and `evidence`: never called best, never ranked. */
  readonly reference: boolean;
  /** Only where the reader searches with queries of its own (RT-8). */
  readonly recall?: 'deliberate';
  /** Only where the arm's own queries are not prepared, as an experiment (SQ-2). */
  readonly query_preparation?: 'off';
  /** Only where lessons are put before the reader (LE-6): within so many of the context's tokens. */
  readonly context?: { readonly lessons: 'inject'; readonly lesson_tokens: number };
  /** Only of the arm that runs another one a second time: that one's name (RP-8). It is compared with it alone, and never ranked. */
  readonly aa_of?: string;
}

/** Whether a strategy gives a ranking, so that it is scored as one. */
export function ranksItems(strategy: Strategy): boolean {
  return strategy !== 'none' && strategy !== 'full-history' && strategy !== 'evidence';
}

/** Whether a strategy scores vectors, where its queries are prepared. */
export function scoresVectors(strategy: Strategy): boolean {
  return strategy === 'semantic' || strategy === 'hybrid';
}

/** A judge: a model, a prompt bound by digest, and how often it is asked about each answer (OB-7). */
export interface JudgeChoice extends ModelChoice {
  readonly prompt: { readonly name: string; readonly text: string; readonly digest: Digest };
  readonly repeats: number;
  /** A file of people's own verdicts, relative to the matrix file. */
  readonly labels: { readonly path: string; readonly digest: Digest } | null;
}

/** A matrix with every default filled in. Its canonical JSON, without `origin`, is what the digest binds (MX-7). */
export interface ResolvedMatrix {
  readonly version: 1;
  readonly name: string;
  readonly budget_nano_usd: string;
  /** Fixture folders; absolute in memory, relative to the matrix file in the digest. */
  readonly fixtures: readonly string[];
  readonly load: LoadSettings;
  /** Null for `formation: none`: every arm reads turns. */
  readonly formation: {
    readonly formation_bank_directory: string;
    readonly bank: BankMode;
    /** By fixture id: banks pinned by digest, the first replicate's first; a digest by itself is that of the first. */
    readonly pinned: { readonly [fixture: string]: Digest | readonly Digest[] };
    /** `facts@1`, or `module@` and the digest of a module of the user's own. */
    readonly policy: string;
    /** That module's file, relative to the matrix file; only where it is one. */
    readonly policy_path?: string;
    readonly persistence: PersistenceMode;
    readonly profile: ModelChoice;
    /** Attempts a call (FB-11). */
    readonly attempts: number;
    /** Banks of one identity that each fixture has (FB-18). */
    readonly replicates: number;
  } | null;
  readonly context: { readonly tokens: number };
  readonly reader: ModelChoice & {
    readonly prompt: { readonly name: string; readonly text: string; readonly digest: Digest };
  };
  /** Models that judge answers, by name (OB-7). */
  readonly judges: { readonly [name: string]: JudgeChoice };
  readonly query_preparation: PreparationSettings | 'off' | null;
  readonly vector_banks: VectorBankSettings;
  readonly providers: { readonly [alias: string]: ProviderEntry };
  /** By model name, for the models in use that have one. */
  readonly prices: { readonly [model: string]: PriceEntry };
  readonly arms: readonly ArmSettings[];
  readonly baseline: string | null;
  readonly scoring: readonly string[];
  readonly analysis: {
    readonly primary: string;
    readonly contrasts: readonly (readonly [string, string])[];
    readonly alpha: number;
    readonly power: number;
    readonly margin: number;
  };
  /** Only where the matrix names modules of the user's own (RT-6). */
  readonly modules?: {
    /** Of loading one, and of each call. */
    readonly time_limit_ms: number;
    /** By their names under `scoring`; paths are relative to the matrix file. */
    readonly scorers: { readonly [name: string]: { readonly path: string; readonly digest: Digest } };
  };
  readonly concurrency: number;
  /** Seed of the arm order (MX-9). */
  readonly seed: string;
}

/** Where the ledgers of a matrix's runs live (LG-11). */
export interface LedgerSettings {
  readonly home: 'file' | 'postgres';
  /** The variable with the URL of the ledgers' database; null: the run folder, or the control database of the run's own server. */
  readonly url_env: string | null;
}

/** A matrix that was loaded and found sound. */
export interface LoadedMatrix {
  /** The matrix file, absolute. */
  readonly path: string;
  readonly matrix: ResolvedMatrix;
  readonly digest: Digest;
  /** `output.folder`, absolute: where results go binds no experiment, so the digest leaves it out. Null where it is not given. */
  readonly output_folder: string | null;
  /** `ledger`: where money is booked binds no experiment either. */
  readonly ledger: LedgerSettings;
  /** Where the value at a path of the file stands; the nearest parent that is written out, where a default filled it in (MX-2). */
  locate(path: readonly (string | number)[]): SourceLocation;
}
