import { InvalidInputErrors, internalFault, invalidInput, type RecallMatrixError } from '../core/errors.js';
import { abstention, falseAbstention, rightAbstention } from './abstention.js';
import { contains } from './contains.js';
import { evidencePrecisionAt } from './evidence-precision.js';
import { coverage, evidenceRecallAt, evidenceRecallWithin } from './evidence-recall.js';
import { exactMatch } from './exact-match.js';
import { ndcgAt } from './ndcg.js';
import { reciprocalRankAt } from './reciprocal-rank.js';
import {
  judgeOf,
  moduleOfScorer,
  type ParsedScorerName,
  parseScorerName,
  SCORER_NAMES,
  type Scorer,
} from './scoring.js';
import { tokenF1 } from './token-f1.js';

const UNBOUNDED: ReadonlyMap<string, Scorer> = new Map(
  [tokenF1, exactMatch, contains, coverage, abstention, rightAbstention, falseAbstention].map((s) => [s.name, s]),
);

/**
 * The built-in scorers of a matrix, in its order. Modules of the user's own are asked elsewhere (RT-6), and judges when the answers are read (OB-7).
 *
 * @throws `InvalidInputErrors` with an `UNKNOWN_SCORER` for each name that is none, and a `SCORER_TWICE` for each repeated one.
 */
export function scorersFor(scoring: readonly string[]): Scorer[] {
  const names = scoring.filter((name) => moduleOfScorer(name) === null && judgeOf(name) === null);
  const faults = names.flatMap((name, index) => {
    if (parseScorerName(name) === null) return [unknownScorer(name)];
    return names.indexOf(name) < index ? [scorerTwice(name)] : [];
  });
  if (faults.length > 0) throw new InvalidInputErrors(faults);
  return names.map((name) => scorerOf(parseScorerName(name) as ParsedScorerName));
}

function unknownScorer(name: string) {
  return invalidInput('UNKNOWN_SCORER', `there is no scorer ${JSON.stringify(name)}`, {
    remedy: `known: ${SCORER_NAMES.join(', ')} (K from 1 to 1000)`,
  });
}

const BOUNDED: ReadonlyMap<string, (k: number) => Scorer> = new Map([
  ['evidence-recall@K', evidenceRecallAt],
  ['evidence-recall@K-tokens', evidenceRecallWithin],
  ['evidence-precision@K', evidencePrecisionAt],
  ['mrr@K', reciprocalRankAt],
  ['ndcg@K', ndcgAt],
]);

function scorerTwice(name: string): RecallMatrixError {
  return invalidInput('SCORER_TWICE', `the scorer ${name} is named twice`, { remedy: 'name it once' });
}

function scorerOf({ family, k }: ParsedScorerName): Scorer {
  const scorer = k === null ? UNBOUNDED.get(family) : BOUNDED.get(family)?.(k);
  if (scorer === undefined) throw internalFault('SCORER_NOT_BUILT', `${family} is named and not built`);
  return scorer;
}
