import type { Fixture } from '../../../fixture/fixture.js';
import { scorersFor } from '../../../scoring/scorers.js';
import { parseScorerName, type Scorer } from '../../../scoring/scoring.js';
import type { Observation } from '../../asking/observation.js';
import { programDigest } from '../../program-digest.js';
import { storedRow } from '../../rescoring/score-row.js';
import { scoredBy } from '../../scored-by.js';
import type { CheckedBundle } from './checked-bundle.js';

/** Scores by scorers of this program are reckoned again, from answers, retrieval and labels. */
export class RowScores {
  readonly #scorers: readonly Scorer[];
  readonly #isSameProgram: boolean;
  #otherwise = 0;

  constructor(private readonly bundle: CheckedBundle) {
    const { matrix, manifest } = bundle.record;
    this.#scorers = scorersFor(matrix.scoring.filter((name) => parseScorerName(name) !== null));
    this.#isSameProgram = scoredBy(manifest).program === programDigest();
    const others = matrix.scoring.filter((name) => parseScorerName(name) === null);
    for (const name of others)
      bundle.findings.skipped(`scores by ${name}`, 'only the judge, or the module, gives them');
  }

  check(row: Observation, fixture: Fixture | null, file: string): void {
    const { findings, record } = this.bundle;
    const of = `of ${row.question}, repeat ${row.repeat},`;
    const label = fixture?.labels.get(row.question);
    const arm = record.matrix.arms.find(({ name }) => name === row.arm);
    if (label === undefined || arm === undefined) {
      findings.skipped('scores and labels of rows', 'the fixture is not in the bundle');
      return;
    }
    findings.same(file, `the category ${of}`, row.category, label.category);
    findings.same(file, `whether an answer ${of}`, row.answerable, label.answerable);
    const answered = row.outcome.kind === 'answered';
    const scored = storedRow(row, arm, label);
    for (const { name, ...scorer } of this.#scorers) {
      const expected = answered ? scorer.score(scored) : null;
      findings.looked('scores reckoned again');
      const found = row.scores[name];
      if (found === expected) continue;
      // Another version may score otherwise, and accuses nobody.
      if (this.#isSameProgram) findings.same(file, `the score ${name} ${of}`, found, expected);
      else this.#otherwise += 1;
    }
  }

  end(): void {
    const { findings, record } = this.bundle;
    if (this.#otherwise === 0) return;
    const { version } = scoredBy(record.manifest);
    findings.skipped(
      `${this.#otherwise} scores, which this program reckons otherwise`,
      `it was scored by another program, version ${version}: verify with that one`,
    );
  }
}
