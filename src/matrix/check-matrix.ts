import { invalidInput, type RecallMatrixError } from '../core/errors.js';
import type { YamlPath, YamlSource } from '../core/yaml-source.js';
import { moduleOfScorer } from '../scoring/scoring.js';
import { checkJudges } from './check-judges.js';
import { checkLessons } from './check-lessons.js';
import { checkMode, checkPreparation, type Report } from './check-modes.js';
import { checkProviders } from './check-providers.js';
import { checkRecall } from './check-recall.js';
import { scoresVectors } from './matrix.js';
import type { AuthoredMatrix } from './matrix-schema.js';
import { isPolicyPath } from './named-files.js';
import { checkReplicates } from './replicates.js';

const BUILT_IN_POLICY = 'facts@1';

/** What the checks need to know of the rooms that build what a matrix names. */
export interface KnownParts {
  /** Local completion models by use. */
  readonly localFormers: readonly string[];
  readonly localReaders: readonly string[];
  readonly localEmbedders: readonly string[];
  /** Prompts of judges that come with the program. */
  readonly judgePresets: { readonly names: readonly string[]; text(name: string): string | null };
  /** @returns what is wrong with a scorer's name; null where it is known. */
  scorerProblem(name: string): string | null;
}

/** Faults that no single field shows: names that point nowhere, and combinations that make no sense (MX-2). */
export function checkMatrix(source: YamlSource, matrix: AuthoredMatrix, known: KnownParts): RecallMatrixError[] {
  const faults: RecallMatrixError[] = [];
  const report: Report = (path, code, message, remedy) => {
    faults.push(invalidInput(code, message, { location: source.locate(path), remedy }));
  };
  checkPlaceholders(source.value, [], report);
  if (matrix.load.seed !== undefined && matrix.load.sample === undefined)
    report(
      ['load', 'seed'],
      'SEED_WITHOUT_SAMPLE',
      '`load.seed` seeds a sample, and there is none',
      'add `sample`, or leave the seed out',
    );
  checkArms(matrix, report);
  checkModels(matrix, known, report);
  checkProviders(matrix, report);
  checkAnalysis(matrix, known, report);
  checkJudges(matrix, report);
  checkReplicates(matrix, report);
  return faults;
}

/** A placeholder would reach a model as text: values come from named variables alone (MX-4). */
function checkPlaceholders(value: unknown, path: YamlPath, report: Report): void {
  if (typeof value === 'string' && /\$\{[^}]*\}|\{\{[^}]*\}\}|\$\([^)]*\)/.test(value)) {
    report(
      path,
      'PLACEHOLDER',
      'placeholders are not replaced in a matrix',
      'name a variable in `api_key_env` or `url_env`, or write the value out',
    );
  } else if (value !== null && typeof value === 'object') {
    for (const [key, child] of Object.entries(value)) {
      checkPlaceholders(child, [...path, Array.isArray(value) ? Number(key) : key], report);
    }
  }
}

function checkArms(matrix: AuthoredMatrix, report: Report): void {
  const seen = new Map<string, number>();
  matrix.arms.forEach((arm, index) => {
    // File systems that ignore case would give two such arms one folder.
    const folded = arm.name.toLowerCase();
    if (seen.has(folded))
      report(
        ['arms', index, 'name'],
        'DUPLICATE_NAME',
        `the arm name ${arm.name} is taken already (case does not count)`,
        'give each arm a name of its own',
      );
    seen.set(folded, index);
    checkMode(arm, index, report);
    checkRecall(arm, index, report);
    checkLessons(arm, index, matrix.context.tokens, report);
    checkPreparation(arm, index, report);
    const { retrieval } = arm;
    if (retrieval.strategy === 'file') return;
    const usesVectors = scoresVectors(retrieval.strategy) && arm.query_preparation === 'on';
    if (usesVectors && matrix.query_preparation === undefined) {
      report(
        ['arms', index, 'retrieval', 'strategy'],
        'QUERY_PREPARATION_MISSING',
        `the arm ${arm.name} is ${retrieval.strategy}, and \`query_preparation\` is missing`,
        'add `query_preparation: { embedding: { provider: local, model: use-lite-512 } }`, or `off` for an experiment without vectors',
      );
    }
    if (matrix.formation === 'none' && retrieval.unit === 'beliefs' && retrieval.strategy !== 'none') {
      report(
        ['arms', index, 'retrieval'],
        'BELIEFS_WITHOUT_FORMATION',
        `the arm ${arm.name} reads beliefs, and \`formation\` is none`,
        'add `unit: turns`, or configure formation',
      );
    }
  });
}

function checkModels(matrix: AuthoredMatrix, known: KnownParts, report: Report): void {
  const check = (
    path: YamlPath,
    alias: string,
    model: string,
    use: string,
    localModels: readonly string[],
    allowsTranscript: boolean,
  ): void => {
    const provider = matrix.providers[alias];
    if (provider === undefined) {
      report(
        [...path, 'provider'],
        'PROVIDER_UNKNOWN',
        `there is no provider ${alias}`,
        `add it under \`providers\`; there are: ${Object.keys(matrix.providers).join(', ') || 'none'}`,
      );
    } else if (provider.kind === 'transcript' && !allowsTranscript) {
      report(
        [...path, 'provider'],
        'PROVIDER_UNFIT',
        `a transcript cannot serve as ${use}`,
        'a transcript holds formation completions alone',
      );
    } else if (provider.kind === 'local' && !localModels.includes(model)) {
      report(
        [...path, 'model'],
        'MODEL_UNKNOWN',
        `the local kind has no ${use} ${model}`,
        localModels.length === 0 ? `name a provider that sends` : `use one of: ${localModels.join(', ')}`,
      );
    }
  };
  if (matrix.formation !== 'none') {
    const { policy, profile } = matrix.formation;
    if (policy !== BUILT_IN_POLICY && !isPolicyPath(policy)) {
      report(
        ['formation', 'policy'],
        'POLICY_UNKNOWN',
        `there is no formation policy ${policy}`,
        `use ${BUILT_IN_POLICY}, or the path of a module, e.g. ./my-policy.mjs (docs/modules.md)`,
      );
    }
    check(['formation', 'profile'], profile.provider, profile.model, 'former', known.localFormers, true);
  }
  check(['reader'], matrix.reader.provider, matrix.reader.model, 'reader', known.localReaders, false);
  for (const [name, { provider, model }] of Object.entries(matrix.judges))
    check(['judges', name], provider, model, 'judge', [], false);
  const preparation = matrix.query_preparation;
  if (preparation !== undefined && preparation !== 'off') {
    const { provider, model } = preparation.embedding;
    check(['query_preparation', 'embedding'], provider, model, 'embedder', known.localEmbedders, false);
  }
}

function checkAnalysis(matrix: AuthoredMatrix, known: KnownParts, report: Report): void {
  const arms = new Map(matrix.arms.map((arm) => [arm.name, arm]));
  const checkArm = (path: YamlPath, name: string): void => {
    if (!arms.has(name))
      report(path, 'ARM_UNKNOWN', `there is no arm ${name}`, `the arms are: ${[...arms.keys()].join(', ')}`);
  };
  if (matrix.baseline !== undefined) checkArm(['baseline'], matrix.baseline);
  matrix.analysis.contrasts.forEach((contrast, index) => {
    contrast.forEach((name, side) => {
      checkArm(['analysis', 'contrasts', index, side], name);
    });
    if (contrast[0] === contrast[1])
      report(
        ['analysis', 'contrasts', index],
        'CONTRAST_WITH_ITSELF',
        `a contrast of ${contrast[0]} with itself`,
        'name two arms',
      );
  });
  const seen = new Set<string>();
  matrix.scoring.forEach((name, index) => {
    const problem = moduleOfScorer(name) === null ? known.scorerProblem(name) : null;
    if (problem !== null)
      report(['scoring', index], 'SCORER_UNKNOWN', problem, 'see docs/formats/matrix.md for the scorers');
    if (seen.has(name)) report(['scoring', index], 'DUPLICATE_NAME', `the scorer ${name} stands twice`, 'remove one');
    seen.add(name);
  });
  if (!seen.has(matrix.analysis.primary)) {
    report(
      ['analysis', 'primary'],
      'PRIMARY_NOT_SCORED',
      `the primary score ${matrix.analysis.primary} is not under \`scoring\``,
      'add it there, or choose another',
    );
  }
}
