import { type Digest, digestJson } from '../core/digest.js';
import type { SampleSettings } from '../fixture/sample-questions.js';
import type { PriceEntry } from '../provider/prices.js';
import { withAa } from './aa-arm.js';
import type { AuthoredArm } from './arm-schema.js';
import { lessonSettings } from './check-lessons.js';
import { ceilingSettings, DEFAULT_CEILINGS_USD } from './embedding-ceilings.js';
import {
  type ArmSettings,
  isRemote,
  type JudgeChoice,
  type ModelChoice,
  type ProviderEntry,
  type RemoteSettings,
  type ResolvedMatrix,
  type VectorBankSettings,
} from './matrix.js';
import type { AuthoredMatrix } from './matrix-schema.js';
import { namedFiles } from './named-files.js';
import type { BoundPrompt } from './read-prompt.js';

/** Files that a matrix names, read already. */
export interface ReadParts {
  /** Relative to the matrix file, `/` between parts, sorted. */
  readonly fixtures: readonly string[];
  /** The matrix's, or what the command line says instead. */
  readonly sample: SampleSettings | null;
  readonly bankDirectory: string;
  readonly vectorBankDirectory: string;
  readonly prompt: BoundPrompt;
  readonly judges: { [name: string]: Pick<JudgeChoice, 'prompt' | 'labels'> };
  /** The arm that runs twice (RP-8); null where none does. */
  readonly aa: string | null;
  /** Every price that the matrix can see, by model. */
  readonly prices: ReadonlyMap<string, PriceEntry>;
  /** Files of the user's own, by the path that the matrix gives (RT-6, RT-7). */
  readonly files: {
    readonly digests: ReadonlyMap<string, Digest>;
    /** A path as it stands in a resolved matrix. */
    relative(path: string): string;
  };
}

const DEFAULT_BASE_URLS = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com' };

/** Fills in what the author left open. The result is all that a run depends on, secrets excluded (MX-7). */
export function resolveMatrix(authored: AuthoredMatrix, parts: ReadParts, budgetNanoUsd: bigint): ResolvedMatrix {
  const { formation, load } = authored;
  const preparation = authored.query_preparation;
  const embedding = preparation === undefined || preparation === 'off' ? null : preparation.embedding;
  const models = [
    ...(formation === 'none' ? [] : [formation.profile.model]),
    authored.reader.model,
    ...(embedding === null ? [] : [embedding.model]),
    ...Object.values(authored.judges).map(({ model }) => model),
  ];
  return {
    version: 1,
    name: authored.name,
    budget_nano_usd: budgetNanoUsd.toString(),
    fixtures: parts.fixtures,
    load: {
      questions: load.questions,
      categories: load.categories ?? null,
      repeats: load.repeats,
      sample: parts.sample,
    },
    formation:
      formation === 'none'
        ? null
        : {
            formation_bank_directory: parts.bankDirectory,
            bank: formation.bank,
            pinned: formation.pinned as NonNullable<ResolvedMatrix['formation']>['pinned'],
            ...policySettings(formation.policy, parts.files),
            persistence: formation.persistence,
            profile: modelChoice(formation.profile),
            attempts: formation.attempts,
            replicates: formation.replicates,
          },
    context: authored.context,
    reader: { ...modelChoice(authored.reader), prompt: parts.prompt },
    judges: Object.fromEntries(
      Object.entries(authored.judges).map(([name, judge]) => [
        name,
        { ...modelChoice(judge), ...(parts.judges[name] as ReadParts['judges'][string]), repeats: judge.repeats },
      ]),
    ),
    query_preparation: preparationSettings(authored),
    vector_banks: vectorBanks(authored, parts.vectorBankDirectory),
    providers: Object.fromEntries(
      Object.entries(authored.providers).map(([alias, entry]) => [alias, providerEntry(entry)]),
    ),
    prices: Object.fromEntries([...new Set(models)].sort().flatMap((model) => priceOf(parts.prices, model))),
    arms: withAa(
      authored.arms.map((arm) => armSettings(arm, parts.files)),
      parts.aa,
    ),
    baseline: authored.baseline ?? null,
    scoring: authored.scoring,
    analysis: authored.analysis,
    ...moduleSettings(authored, parts.files),
    concurrency: authored.concurrency,
    seed: authored.seed,
  };
}

function preparationSettings({
  query_preparation: preparation,
  providers,
}: AuthoredMatrix): ResolvedMatrix['query_preparation'] {
  if (preparation === undefined || preparation === 'off') return preparation ?? null;
  const { ceilings, ...settings } = preparation;
  if (!isRemote(providers[settings.embedding.provider])) return settings;
  return { ...settings, ceilings: ceilingSettings(ceilings ?? DEFAULT_CEILINGS_USD) };
}

/** The digest that binds a resolved matrix (MX-7). */
export function matrixDigest(matrix: ResolvedMatrix): Digest {
  return digestJson(matrix);
}

/** Formation's mode decides where `vector_banks` does not: who only replays one bank means the other too. */
function vectorBanks({ formation, vector_banks }: AuthoredMatrix, directory: string): VectorBankSettings {
  const mode = formation === 'none' ? 'record-if-missing' : formation.bank;
  return {
    directory,
    bank: vector_banks.bank ?? (mode === 'replay-only' || mode === 'off' ? mode : 'record-if-missing'),
    pinned: vector_banks.pinned as VectorBankSettings['pinned'],
  };
}

function priceOf(prices: ReadonlyMap<string, PriceEntry>, model: string): [string, PriceEntry][] {
  const entry = prices.get(model);
  return entry === undefined ? [] : [[model, entry]];
}

function modelChoice(
  choice: ModelChoice['parameters'] & { readonly provider: string; readonly model: string },
): ModelChoice {
  const { max_output_tokens, temperature, top_p, seed, reasoning_effort } = choice;
  return {
    provider: choice.provider,
    model: choice.model,
    parameters: { max_output_tokens, temperature, top_p, seed, reasoning_effort },
  };
}

function providerEntry(entry: AuthoredMatrix['providers'][string]): ProviderEntry {
  if (!isRemote(entry)) return { kind: entry.kind };
  const settings: RemoteSettings = {
    base_url:
      entry.url_env === undefined ? (entry.base_url ?? DEFAULT_BASE_URLS[entry.kind]).replace(/\/+$/, '') : null,
    url_env: entry.url_env ?? null,
    endpoint_name: entry.endpoint_name ?? null,
    api_key_env: entry.api_key_env,
    ...(entry.region === undefined ? {} : { region: entry.region }),
    timeout_ms: entry.timeout_ms,
    overhead_tokens: entry.overhead_tokens,
    requests_per_minute: entry.requests_per_minute,
    tokens_per_minute: entry.tokens_per_minute,
    retry: entry.retry,
  };
  return entry.kind === 'openai'
    ? { kind: 'openai', wire_api: entry.wire_api, output_limit_field: entry.output_limit_field, ...settings }
    : { kind: 'anthropic', wire_api: 'messages', ...settings };
}

/** The most beliefs of a core, where the matrix gives no number. */
const CORE_SIZE = 32;

/** A policy module is known by its digest alone: where it lies is no part of a bank's identity (RT-6). */
function policySettings(policy: string, files: ReadParts['files']): { policy: string; policy_path?: string } {
  const digest = files.digests.get(policy);
  return digest === undefined ? { policy } : { policy: `module@${digest}`, policy_path: files.relative(policy) };
}

function moduleSettings(authored: AuthoredMatrix, files: ReadParts['files']): Pick<ResolvedMatrix, 'modules'> {
  const named = namedFiles(authored).filter(({ kind }) => kind !== 'file');
  if (named.length === 0) return {};
  const scorers = named
    .filter(({ kind }) => kind === 'scorer')
    .map(({ path }) => [`module:${path}`, { path: files.relative(path), digest: files.digests.get(path) as Digest }]);
  return { modules: { time_limit_ms: authored.modules.time_limit_ms, scorers: Object.fromEntries(scorers) } };
}

function armSettings(arm: AuthoredArm, files: ReadParts['files']): ArmSettings {
  const { strategy } = arm.retrieval;
  return {
    name: arm.name,
    retrieval: retrievalSettings(arm.retrieval, files),
    reference: strategy === 'full-history' || strategy === 'evidence',
    ...(arm.recall === 'deliberate' ? { recall: 'deliberate' as const } : {}),
    ...(arm.query_preparation === 'off' ? { query_preparation: 'off' as const } : {}),
    ...lessonSettings(arm),
  };
}

function retrievalSettings(retrieval: AuthoredArm['retrieval'], files: ReadParts['files']): ArmSettings['retrieval'] {
  const { strategy } = retrieval;
  const file =
    'path' in retrieval
      ? { path: files.relative(retrieval.path), digest: files.digests.get(retrieval.path) as Digest }
      : {};
  if (retrieval.strategy === 'file') {
    const { limit } = retrieval;
    return { strategy, unit: 'turns', limit, mode: 'standard', read_ceiling: 'restricted', ...file };
  }
  const { unit, mode, read_ceiling } = retrieval;
  return {
    strategy,
    unit,
    limit: 'limit' in retrieval ? retrieval.limit : null,
    mode,
    ...(mode === 'historical' ? { as_of: retrieval.as_of ?? 'question' } : {}),
    ...(mode === 'core' ? { core_size: retrieval.core_size ?? CORE_SIZE } : {}),
    read_ceiling,
    ...file,
  };
}
