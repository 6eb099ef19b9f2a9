import type { Clock } from '../../core/clock.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { Label } from '../../fixture/label.js';
import type { LedgerTotals } from '../../ledger/ledger.js';
import { scorersFor } from '../../scoring/scorers.js';
import type { ScoredRow } from '../../scoring/scoring.js';
import { blockTitle } from '../block-id.js';
import { changedLabels } from '../changed-labels.js';
import type { ProblemResult, RunResult } from '../experiment.js';
import type { Judging } from '../judging/judging.js';
import type { RunFolder } from '../run-folder.js';
import { type SendingSession, tell } from '../session.js';
import { problemResults } from '../summary/problem-results.js';
import { type SummaryRow, summaryRow } from '../summary/summary-row.js';
import { UserParts } from '../user-parts/user-parts.js';
import type { RecordedBlock } from './recorded-blocks.js';
import { finishCell, scoreBlock } from './rescored-block.js';
import { changesOf, loadFixtureOf, type RescoredFixture } from './rescored-fixtures.js';
import type { RescoredParts } from './rescored-parts.js';
import { rescoredResult } from './rescored-result.js';
import { ScoreChanges } from './score-changes.js';
import type { ModuleScores } from './score-row.js';

/** Scores a run's answers again, block by block. It keeps some hundred bytes a row, as a run does. */
export class Rescoring {
  readonly changes: ScoreChanges;
  readonly problems: ProblemResult[] = [];
  readonly #rows = new Map<string, SummaryRow[]>();
  readonly #labels: { readonly labels: readonly Label[] }[] = [];
  #fixture: Fixture | null = null;

  private constructor(
    private readonly parts: RescoredParts,
    private readonly session: SendingSession,
    private readonly judging: Judging,
    private readonly folder: RunFolder,
    private readonly modules: UserParts | null,
  ) {
    this.changes = new ScoreChanges(parts.past.loaded.matrix.scoring, parts.loaded.matrix.scoring);
  }

  /**
   * @param folder of the run, with the place of the new rows.
   * @throws `MODULE_CHANGED` (exit 2).
   */
  static async open(
    parts: RescoredParts,
    session: SendingSession,
    judging: Judging,
    folder: RunFolder,
    clock: Clock,
  ): Promise<Rescoring> {
    const { scorers = {} } = parts.loaded.matrix.modules ?? {};
    const modules = Object.keys(scorers).length === 0 ? null : await UserParts.open(parts.loaded, clock);
    return new Rescoring(parts, session, judging, folder, modules);
  }

  /** Scores a block's answers, has its judges asked, and writes its rows; where the signal or the budget stops a judge, rows without a verdict. */
  async score(block: RecordedBlock): Promise<void> {
    const { record, loaded, fixtures } = this.parts;
    const { facts, ids } = fixtures.find((one) => one.facts.id === block.id.fixture) as RescoredFixture;
    const fixture = await this.#fixtureOf(facts);
    const scoring = {
      record,
      loaded,
      fixture,
      labels: facts.labels,
      scorers: scorersFor(loaded.matrix.scoring),
      byModules: this.#byModules,
    };
    const cells = await scoreBlock(block, scoring);
    const judged = await this.judging.judgeBlock(
      fixture,
      cells.flatMap(({ rows }) => rows),
    );
    const errors = this.judging.takeErrors().map((error) => ({ error, arm: null }));
    this.problems.push(...problemResults({ fixture, errors }));
    for (const [index, cell] of cells.entries()) {
      const rows = await finishCell(cell, scoring, judged, this.folder);
      for (const [place, row] of rows.entries()) this.changes.add(cell.cell.rows[place] as typeof row, row);
      const { arm } = cell.cell;
      const kept = this.#rows.get(arm) ?? [];
      for (const row of rows) kept.push(summaryRow(row));
      this.#rows.set(arm, kept);
      tell(this.session, `${blockTitle(block.id)}: scoring again`, index + 1, cells.length);
    }
    const { repeats } = loaded.matrix.load;
    const labels = ids.flatMap((id) => fixture.labels.get(id) ?? []);
    this.#labels.push({ labels: Array.from({ length: repeats }, () => labels).flat() });
  }

  /** @param command that asks for missing verdicts. */
  result(totals: LedgerTotals, command: string): Promise<RunResult> {
    const { past, record, loaded, fixtures } = this.parts;
    return rescoredResult({
      before: record.result,
      loaded,
      fixtures: fixtures.map(({ outline }) => outline),
      rows: this.#rows,
      labels: this.#labels,
      judging: this.judging,
      totals,
      changed_labels: changedLabels([...past.manifest.sessions, { changed_labels: changesOf(fixtures) }]),
      problems: this.problems,
      command,
    });
  }

  async close(): Promise<void> {
    await this.modules?.close();
  }

  readonly #byModules: ModuleScores = async (row: ScoredRow) => (await this.modules?.scores(row)) ?? {};

  /** One at a time: a history may be large. */
  async #fixtureOf(facts: RescoredFixture['facts']): Promise<Fixture> {
    if (this.#fixture?.manifest.id !== facts.id) this.#fixture = await loadFixtureOf(this.parts.loaded, facts);
    return this.#fixture;
  }
}
