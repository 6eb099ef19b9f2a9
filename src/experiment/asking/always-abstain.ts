import type { Label } from '../../fixture/label.js';
import { judgeWithoutModel } from '../../scoring/judge/judge-rule.js';
import { scorersFor } from '../../scoring/scorers.js';

/** The means of an arm that abstains from every question (OB-6): what an arm must beat to have read anything. */
export function alwaysAbstain(
  fixtures: readonly { readonly labels: readonly Label[] }[],
  scoring: readonly string[],
): { [scorer: string]: number | null } {
  const labels = fixtures.flatMap((fixture) => fixture.labels);
  const plain = new Map(scorersFor(scoring).map((scorer) => [scorer.name, scorer]));
  return Object.fromEntries(
    scoring
      .flatMap((name) => plain.get(name) ?? judgeWithoutModel(name) ?? [])
      .map((scorer) => {
        const scores = labels
          .map((label) => scorer.score({ label, answer: '', abstained: true, ranked_sources: null }))
          .filter((score) => score !== null);
        const sum = scores.reduce((total, score) => total + score, 0);
        return [scorer.name, scores.length === 0 ? null : sum / scores.length];
      }),
  );
}
