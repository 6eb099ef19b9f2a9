import { type RunRecord, scoredBy } from '../../../experiment/run-record.js';
import { isRemote, type ModelChoice, type ResolvedMatrix } from '../../../matrix/matrix.js';
import { judgeOf } from '../../../scoring/scoring.js';
import type { Factor } from '../comparison.js';
import { differingSets, differingSettings, type Sides } from './differing.js';
import { differingLimits } from './differing-limits.js';
import type { FactorName } from './factor-names.js';

/** One thing that differs, before it is known what was meant to. */
export interface FoundFactor extends Omit<Factor, 'factor' | 'is_treatment'> {
  readonly factor: FactorName;
}

/** What differs between two runs as wholes, whatever arm is looked at (RP-2). */
export function runFactors(base: RunRecord, head: RunRecord, scorers: readonly string[]): FoundFactor[] {
  const whole = (factor: FactorName, sides: Sides | null): FoundFactor[] =>
    sides === null ? [] : [{ factor, fixture: null, arm: null, ...sides }];
  const settings = (factor: FactorName, of: (record: RunRecord) => object): FoundFactor[] =>
    whole(factor, differingSettings(of(base), of(head)));
  return [
    ...settings('formation', ({ matrix }) => formationFacts(matrix)),
    ...settings('query-preparation', ({ matrix }) => preparationFacts(matrix)),
    ...settings('context', ({ matrix }) => matrix.context),
    ...settings('reader', ({ matrix }) => modelFacts(matrix, matrix.reader)),
    ...settings('prompt', ({ matrix: { reader } }) => ({ name: reader.prompt.name, digest: reader.prompt.digest })),
    ...labelFactors(base, head),
    ...settings('scorers', ({ matrix }) => moduleDigests(matrix, scorers)),
    ...settings('judge', (record) => judgeFacts(record, scorers)),
    ...settings('program', ({ manifest, manifest: { tool } }) => ({
      formation: tool.implementation,
      program: tool.program,
      node: tool.node,
      packages: tool.packages,
      scored_by: scoredBy(manifest).program,
    })),
    ...whole('server', differingSets([base.manifest.postgres.version], [head.manifest.postgres.version])),
    ...settings('order', ({ matrix: { seed, concurrency } }) => ({ seed, concurrency })),
    ...whole('limits', differingLimits(base.matrix, head.matrix, scorers)),
    ...settings('prices', ({ matrix }) => matrix.prices),
  ];
}

function formationFacts(matrix: ResolvedMatrix): object {
  const { formation } = matrix;
  if (formation === null) return { formation: 'none' };
  const { policy, persistence, profile, attempts, replicates } = formation;
  return { policy, persistence, profile: modelFacts(matrix, profile), attempts, replicates };
}

function preparationFacts(matrix: ResolvedMatrix): object {
  const { query_preparation: preparation } = matrix;
  if (preparation === null || preparation === 'off') return { preparation };
  const { embedding, sensitivity_floor, ceilings } = preparation;
  const { provider, ...model } = embedding;
  const entry = matrix.providers[provider];
  // A region and a ceiling decide which texts are embedded at all (SQ-7, SQ-9).
  const region = isRemote(entry) ? entry.region : undefined;
  return { embedding: { ...model, ...endpointOf(matrix, provider), region }, sensitivity_floor, ceilings };
}

function modelFacts(matrix: ResolvedMatrix, { provider, model, parameters }: ModelChoice): object {
  return { ...endpointOf(matrix, provider), model, parameters };
}

/** Where a provider is, and what it is sent, as far as that decides an answer: neither its alias, nor its limits. */
function endpointOf(matrix: ResolvedMatrix, alias: string): object {
  const entry = matrix.providers[alias];
  if (!isRemote(entry)) return { kind: entry?.kind ?? null };
  const { kind, wire_api, endpoint_name, base_url, url_env } = entry;
  const output_limit_field = entry.kind === 'openai' ? entry.output_limit_field : undefined;
  return { kind, wire_api, output_limit_field, endpoint: endpoint_name ?? base_url ?? url_env };
}

function labelFactors(base: RunRecord, head: RunRecord): FoundFactor[] {
  return head.manifest.fixtures.flatMap(({ id, labels }) => {
    const before = base.manifest.fixtures.find((one) => one.id === id)?.labels ?? labels;
    return before === labels ? [] : [{ factor: 'labels', fixture: id, arm: null, base: before, head: labels }];
  });
}

/** By scorer: of modules of the user's own. */
function moduleDigests({ modules }: ResolvedMatrix, scorers: readonly string[]): object {
  return Object.fromEntries(scorers.map((name) => [name, modules?.scorers[name]?.digest]));
}

function judgeFacts({ matrix, result }: RunRecord, scorers: readonly string[]): object {
  const names = scorers.flatMap((name) => judgeOf(name) ?? []);
  return Object.fromEntries(
    names.map((name) => {
      const judge = matrix.judges[name];
      const reported = result.judging?.judges.find((one) => one.judge === name)?.reported_models ?? [];
      if (judge === undefined) return [name, null];
      const facts = { ...modelFacts(matrix, judge), prompt: judge.prompt.digest, repeats: judge.repeats };
      return [name, { ...facts, reported: [...reported].sort() }];
    }),
  );
}
