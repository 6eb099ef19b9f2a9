import { stringify } from 'yaml';
import { showUsd } from '../ledger/money.js';
import { aaOf } from './aa-arm.js';
import type { ArmSettings, ModelChoice, ProviderEntry, ResolvedMatrix } from './matrix.js';
import { isRemote } from './matrix.js';

/**
 * A matrix file that resolves to a matrix that was resolved before: what a run folder keeps is no file that can be run, this is. Beside it must
 * lie, at the paths that it names, the files that the first one named. Axes are written out as the arms that they made.
 *
 * @returns YAML. Whoever hands it on loads it, and compares the digest: this is written by hand, field by field.
 */
export function writtenMatrix(matrix: ResolvedMatrix): string {
  const { formation, load, query_preparation: preparation } = matrix;
  return stringify({
    version: matrix.version,
    name: matrix.name,
    budget_usd: showUsd(BigInt(matrix.budget_nano_usd)),
    fixtures: matrix.fixtures,
    load: {
      questions: load.questions,
      ...given('categories', load.categories),
      repeats: load.repeats,
      ...(load.sample === null ? {} : { sample: load.sample.size, seed: load.sample.seed }),
    },
    formation: formation === null ? 'none' : writtenFormation(formation),
    context: matrix.context,
    reader: { ...writtenModel(matrix.reader), prompt: matrix.reader.prompt.name },
    judges: Object.fromEntries(
      Object.entries(matrix.judges).map(([name, judge]) => [
        name,
        {
          ...writtenModel(judge),
          prompt: judge.prompt.name,
          repeats: judge.repeats,
          ...given('labels', judge.labels?.path ?? null),
        },
      ]),
    ),
    ...given('query_preparation', preparation === null ? null : writtenPreparation(preparation)),
    vector_banks: matrix.vector_banks,
    providers: Object.fromEntries(
      Object.entries(matrix.providers).map(([alias, entry]) => [alias, writtenProvider(entry)]),
    ),
    prices: Object.fromEntries(
      Object.entries(matrix.prices).map(([model, { as_of, source, tiers }]) => [model, { as_of, source, tiers }]),
    ),
    arms: matrix.arms.filter(({ aa_of }) => aa_of === undefined).map(writtenArm),
    ...given('aa', aaOf(matrix)),
    ...(matrix.modules === undefined ? {} : { modules: { time_limit_ms: matrix.modules.time_limit_ms } }),
    ...given('baseline', matrix.baseline),
    scoring: matrix.scoring,
    analysis: matrix.analysis,
    concurrency: matrix.concurrency,
    seed: matrix.seed,
  });
}

/** A key, where there is something to say under it. */
function given<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: unknown } {
  return value === null ? {} : ({ [key]: value } as { readonly [K in Key]: unknown });
}

function writtenFormation(formation: NonNullable<ResolvedMatrix['formation']>): unknown {
  const { policy_path, profile, ...settings } = formation;
  return { ...settings, policy: policy_path ?? settings.policy, profile: writtenModel(profile) };
}

function writtenModel({ provider, model, parameters }: ModelChoice): Record<string, unknown> {
  return { provider, model, ...parameters };
}

function writtenPreparation(preparation: NonNullable<ResolvedMatrix['query_preparation']>): unknown {
  if (preparation === 'off') return preparation;
  const { ceilings, ...settings } = preparation;
  if (ceilings === undefined) return settings;
  const [request_usd, day_usd] = [ceilings.request_nano_usd, ceilings.day_nano_usd].map((sum) => showUsd(BigInt(sum)));
  return { ...settings, ceilings: { request_usd, day_usd } };
}

/** Null stands for a key that was left out, but where the schema takes null for something else than its default. */
function writtenProvider(entry: ProviderEntry): unknown {
  if (!isRemote(entry)) return entry;
  const { base_url, url_env, endpoint_name, wire_api, ...settings } = entry;
  return {
    ...settings,
    ...given('base_url', base_url),
    ...given('url_env', url_env),
    ...given('endpoint_name', endpoint_name),
    ...(entry.kind === 'openai' ? { wire_api } : {}),
  };
}

function writtenArm(arm: ArmSettings): unknown {
  const { reference: _reference, retrieval, ...settings } = arm;
  return { ...settings, retrieval: writtenRetrieval(retrieval) };
}

function writtenRetrieval(retrieval: ArmSettings['retrieval']): unknown {
  const { digest: _digest, limit, ...settings } = retrieval;
  if (settings.strategy === 'file') return { strategy: settings.strategy, path: settings.path, limit };
  return { ...settings, ...given('limit', limit) };
}
