import { counted } from '../core/counted.js';
import { budgetRefused, type ErrorKind } from '../core/errors.js';
import type { Fixture, FixtureOutline } from '../fixture/fixture.js';
import type { Label } from '../fixture/label.js';
import type { Question } from '../fixture/question.js';
import { createContextAssembler } from '../memory/context/context-assembler.js';
import { countTokens } from '../provider/tokenizer.js';
import { scorersFor } from '../scoring/scorers.js';
import { CallAccount } from './asking/call-account.js';
import { lessonsNow } from './bind-lessons.js';
import type { Block } from './block.js';
import { type BlockId, blocksNoun, blockTitle } from './block-id.js';
import { BudgetGate, isRefusal } from './budget-gate.js';
import { openFixture } from './examined-fixture.js';
import type { RunResult } from './experiment.js';
import { FixtureProgress } from './fixture-progress.js';
import {
  type BankPlan,
  blockOf,
  type FixtureFormation,
  recordBank,
  replayBank,
  whyRecorded,
} from './formation/formation-bank.js';
import { bankCost, NO_COST, ownCost } from './formation/formation-cost.js';
import { Judging } from './judging/judging.js';
import { LookAhead } from './look-ahead.js';
import { ManifestKeeper } from './manifest-keeper.js';
import { type RunOptions, withSession } from './open-session.js';
import { lookedUpQuestions, type PreparedRun, prepareRun, vectorPlans } from './prepare-run.js';
import { type CommittedRows, readCommittedRows } from './resuming/committed-rows.js';
import { fixtureFacts } from './resuming/run-changes.js';
import { runBlock } from './run-block.js';
import type { RunFolder } from './run-folder.js';
import { newHistory, type RunHistory } from './run-history.js';
import { type FinishedFixture, type FixtureResult, finishFixture, runResult } from './run-result.js';
import type { Session } from './session.js';
import { InSample } from './summary/in-sample.js';
import { embeddingPrice } from './vectors/embedding-space.js';
import { FixtureVectors } from './vectors/fixture-vectors.js';
import { whollyWithheld } from './vectors/preparation-context.js';
import { queryFates } from './vectors/query-tally.js';

/** A run that went as far as it could. */
export interface RunOutcome {
  readonly result: RunResult;
  /** Kinds of everything that went wrong: what the exit code is made from. */
  readonly kinds: readonly ErrorKind[];
}

/**
 * Runs a matrix: finds or records each fixture's bank, replays it for every arm, proves the state, asks every question, and writes rows,
 * summaries and costs (DESIGN).
 *
 * @throws for input that is not sound, banks that are refused and a server that cannot be had, before anything is sent. What goes wrong
 * later is in the outcome.
 */
export async function runMatrix(options: RunOptions): Promise<RunOutcome> {
  const prepared = await prepareRun(options.matrixPath, options.overrides, options);
  const lessons = await lessonsNow(prepared.loaded, options);
  const use = { reads: true, lessons, place: { kind: 'new', prefix: '' } } as const;
  return withSession(options, prepared, use, (session, folder) =>
    new MatrixRun(session, prepared, folder, newHistory(prepared.loaded)).run(),
  );
}

/** One session of a run: its first, or one that continues it. */
export class MatrixRun {
  readonly #results: FinishedFixture[] = [];
  readonly #manifest: ManifestKeeper;
  readonly #fixtures: LookAhead<BankPlan, Fixture>;
  readonly #progress: FixtureProgress;
  readonly #gate = new BudgetGate();
  readonly #stop: Block['stop'] = { cause: null };
  readonly #judging: Judging;

  constructor(
    private readonly session: Session,
    private readonly prepared: PreparedRun,
    private readonly folder: RunFolder,
    private readonly history: RunHistory,
  ) {
    this.#manifest = new ManifestKeeper(session, prepared, folder, history, this.#gate);
    this.#fixtures = new LookAhead(prepared.plans, (plan) => openFixture(plan.fixture));
    this.#judging = new Judging(session, folder, this.#gate, prepared.judgeLabels);
    this.#progress = new FixtureProgress(session, prepared.plans.length, blocksNoun(prepared.plans));
  }

  async run(): Promise<RunOutcome> {
    await this.#manifest.start();
    for (const plan of this.prepared.plans) {
      if (this.session.signal.aborted) break;
      this.#results.push(finishFixture(await this.#runBlock(plan), this.session.ledger.shared()));
      this.#progress.finished();
    }
    const { lessons } = this.session;
    const totals = this.session.ledger.totals();
    const result = await runResult({
      folder: this.folder,
      loaded: this.session.loaded,
      fixtures: this.#results,
      plans: this.prepared.plans,
      totals,
      judging: this.#judging,
      sample: lessons === null ? null : new InSample(lessons, this.prepared.fixtures, this.prepared.selected),
      interrupted: this.session.signal.aborted,
      sessions: this.history.sessions,
    });
    await this.#manifest.finish(result);
    const kinds = this.#results.flatMap(({ problems }) => problems.map(({ kind }) => kind));
    return { result, kinds: this.session.signal.aborted ? [...kinds, 'interrupted'] : kinds };
  }

  async #runBlock(plan: BankPlan): Promise<FixtureResult> {
    const block = blockOf(plan);
    const errors: FixtureResult['errors'][number][] = [];
    const recording = new CallAccount();
    const shared = {
      fixture: plan.fixture,
      replicate: plan.replicate,
      recording,
      questions: this.#load(plan.fixture).length,
      labels: this.#labels(plan.fixture),
    };
    let fixture: Fixture;
    let formed: FixtureFormation;
    try {
      fixture = await this.#fixtures.take(plan);
      formed = await this.#form(plan, fixture, recording);
    } catch (error) {
      // What comes after a refusal is not asked either, whatever it costs (MX-9).
      if (isRefusal(error)) this.#gate.close(error);
      return {
        ...shared,
        formed: null,
        vectors: [],
        cost: { usage: null, nano_usd: null },
        outcomes: [],
        queries: null,
        errors: [{ error, arm: null }],
      };
    }
    const cost = formed.kind === 'bank' ? bankCost(formed.file.bank, this.#formationPrice()) : NO_COST;
    if (formed.kind === 'bank') {
      await this.folder.writeState(block, null, formed.state.state);
      await this.#manifest.bindBank(block, formed.file.bank.digest);
    }
    const vectors = await this.#openVectors(plan, formed);
    const outcomes = await runBlock(await this.#block(block, fixture, formed, vectors, cost)).finally(() =>
      vectors?.close(),
    );
    errors.push(...this.#judging.takeErrors().map((error) => ({ error, arm: null })));
    for (const outcome of outcomes) errors.push(...outcome.errors.map((error) => ({ error, arm: outcome.arm })));
    const queries = this.#queryFates(fixture, outcomes, vectors);
    return { ...shared, formed, vectors: (await vectors?.results()) ?? [], cost, outcomes, queries, errors };
  }

  #queryFates(
    fixture: Fixture,
    outcomes: FixtureResult['outcomes'],
    vectors: FixtureVectors | null,
  ): FixtureResult['queries'] {
    const { loaded } = this.session;
    if (vectors === null && whollyWithheld(loaded, fixture.manifest) === null) return null;
    const { arms } = loaded.matrix;
    const rows = outcomes.flatMap((outcome) => outcome.rows);
    return queryFates(fixture.manifest.id, arms, rows, fixture.questions, vectors?.queries ?? null);
  }

  /** What earlier sessions committed of a block, by arm. */
  async #committed(block: Block['id']): Promise<ReadonlyMap<string, CommittedRows>> {
    if (this.history.kind === 'run') return new Map();
    const committed = new Map<string, CommittedRows>();
    for (const { name } of this.session.loaded.matrix.arms)
      committed.set(name, await readCommittedRows(this.folder, name, block));
    return committed;
  }

  async #form(plan: BankPlan, fixture: Fixture, recording: CallAccount): Promise<FixtureFormation> {
    const { progress } = this.session;
    const title = blockTitle(blockOf(plan));
    if (this.#gate.closedBy !== null && (plan.action === 'record' || plan.action === 'live')) {
      throw budgetRefused('BUDGET_STOP', `${title} was not formed: the budget had stopped the run`, {
        remedy: 'raise budget_usd and run again: what was recorded is replayed',
      });
    }
    switch (plan.action) {
      case 'none':
        return { kind: 'none' };
      case 'live':
        progress({ kind: 'note', text: `${title}: forming live in every cell: its arms are unpaired` });
        return { kind: 'live' };
      case 'record':
        progress({ kind: 'note', text: whyRecorded(plan) });
        return recordBank(this.session, fixture, plan, recording);
      case 'replay': {
        const found = plan.found as NonNullable<typeof plan.found>;
        progress({
          kind: 'note',
          text: `${title}: replaying bank ${found.bank.digest.slice(7, 19)} (${counted(found.bank.call_count, 'call')}, nothing sent)`,
        });
        const formed = await replayBank(found);
        // An earlier session of this run recorded it.
        const isOwn = formed.kind === 'bank' && this.#manifest.wasToRecord(blockOf(plan));
        return isOwn ? { ...formed, source: 'recorded' } : formed;
      }
    }
  }

  async #block(
    id: BlockId,
    fixture: Fixture,
    formed: FixtureFormation,
    vectors: FixtureVectors | null,
    cost: FixtureResult['cost'],
  ): Promise<Block> {
    const { session, folder } = this;
    const { matrix, digest } = session.loaded;
    const { load, labels } = fixtureFacts(fixture, this.#ids(fixture), matrix.load.repeats);
    return {
      id,
      session: this.#progress.within,
      fixture,
      folder,
      arms: matrix.arms,
      formed,
      load: this.#load(fixture),
      committed: await this.#committed(id),
      retryFailed: this.history.retryFailed,
      stop: this.#stop,
      assembler: this.#assembler,
      gate: this.#gate,
      vectors,
      queries: vectors?.queries ?? null,
      rows: {
        run: folder.id,
        matrix: digest,
        fixture,
        replicate: id.replicate,
        bank: formed.kind === 'bank' ? formed.file.bank.digest : null,
        load,
        labels,
        prompt: matrix.reader.prompt,
        scorers: scorersFor(matrix.scoring),
      },
      judge: (rows) => this.#judging.judgeBlock(fixture, rows),
      sharedCosts: (cell) => ({
        formation:
          formed.kind === 'live' ? { usage: cell.formation.usage, nano_usd: cell.formation.attributed_nano_usd } : cost,
        index: ownCost(cell.index_usage, embeddingPrice(matrix)),
      }),
    };
  }

  readonly #assembler = createContextAssembler(countTokens);

  #load(fixture: FixtureOutline): { question: Question; repeat: number }[] {
    const ids = this.#ids(fixture);
    const { repeats } = this.session.loaded.matrix.load;
    return Array.from({ length: repeats }, (_, index) => index + 1).flatMap((repeat) =>
      ids.map((id) => ({ question: questionOf(fixture, id), repeat })),
    );
  }

  #ids(fixture: FixtureOutline): readonly string[] {
    return this.prepared.selected.get(fixture.manifest.id) ?? [];
  }

  #labels(fixture: FixtureOutline): Label[] {
    return this.#load(fixture).flatMap(({ question }) => fixture.labels.get(question.id) ?? []);
  }

  #openVectors(plan: BankPlan, formed: FixtureFormation): Promise<FixtureVectors | null> {
    const { session, prepared, folder } = this;
    const { fixture } = plan;
    return FixtureVectors.open({
      session,
      fixture,
      replicate: plan.replicate,
      formed,
      plans: vectorPlans(prepared, plan),
      questions: lookedUpQuestions(prepared, fixture),
      folder,
      run: {
        wasToRecord: (unit) => this.#manifest.wasToRecordVectors(blockOf(plan), unit),
        bind: (unit, opened) => this.#manifest.bindVectorBank(blockOf(plan), unit, opened),
      },
    });
  }

  #formationPrice() {
    const { formation } = this.session.loaded.matrix;
    return formation === null ? null : this.session.providers.price(formation.profile.model);
  }
}

function questionOf(fixture: FixtureOutline, id: string): Question {
  return fixture.questions.find((question) => question.id === id) as Question;
}
