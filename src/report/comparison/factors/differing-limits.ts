import { isRemote, type ResolvedMatrix } from '../../../matrix/matrix.js';
import { judgeOf } from '../../../scoring/scoring.js';
import { differingSettings, type Sides } from './differing.js';

/**
 * How long is waited for what answers, and how often it is tried: they change no answer, and decide which rows are lost. Of what both sides have: where one
 * side asks a server and the other none, that is another factor.
 */
export function differingLimits(base: ResolvedMatrix, head: ResolvedMatrix, scorers: readonly string[]): Sides | null {
  const [one, other] = [limitsOf(base, scorers), limitsOf(head, scorers)];
  const shared = Object.keys(one).filter((role) => other[role] !== undefined);
  const of = (limits: Limits) => Object.fromEntries(shared.map((role) => [role, limits[role]]));
  return differingSettings(of(one), of(other));
}

type Limits = { readonly [role: string]: object };

function limitsOf(matrix: ResolvedMatrix, scorers: readonly string[]): Limits {
  const { query_preparation: preparation, providers, modules } = matrix;
  const judges = scorers.flatMap((name) => judgeOf(name) ?? []);
  const asked: [string, string | undefined][] = [
    ['reader', matrix.reader.provider],
    ['embedding', preparation === null || preparation === 'off' ? undefined : preparation.embedding.provider],
    ...judges.map((name): [string, string | undefined] => [`judge:${name}`, matrix.judges[name]?.provider]),
  ];
  const remote = asked.flatMap(([role, alias]) => {
    const entry = alias === undefined ? undefined : providers[alias];
    if (!isRemote(entry)) return [];
    const { timeout_ms, retry } = entry;
    return [[role, { timeout_ms, retry }]];
  });
  return {
    ...Object.fromEntries(remote),
    ...(modules === undefined ? {} : { modules: { time_limit_ms: modules.time_limit_ms } }),
  };
}
