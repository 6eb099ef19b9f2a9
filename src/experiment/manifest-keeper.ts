import { stringify } from 'yaml';
import type { Digest } from '../core/digest.js';
import type { RecallUnit } from '../memory/memory.js';
import { type BlockId, blockName } from './block-id.js';
import type { BudgetGate } from './budget-gate.js';
import type { RunResult } from './experiment.js';
import { blockOf } from './formation/formation-bank.js';
import type { PreparedRun } from './prepare-run.js';
import { fixtureFacts } from './resuming/run-changes.js';
import type { RunFolder } from './run-folder.js';
import type { RunHistory } from './run-history.js';
import { type RunManifest, runManifest } from './run-manifest.js';
import type { Session } from './session.js';
import { type OpenedVectors, RunVectorBanks } from './vectors/run-vector-banks.js';

/** Keeps `run.json` true while a session of a run goes on. */
export class ManifestKeeper {
  readonly #startedAt: string;
  readonly #fixtures: RunManifest['fixtures'];
  readonly #banks: Map<string, RunManifest['banks'][number]>;
  readonly #vectorBanks: RunVectorBanks;

  constructor(
    private readonly session: Session,
    prepared: PreparedRun,
    private readonly folder: RunFolder,
    private readonly history: RunHistory,
    private readonly gate: BudgetGate,
  ) {
    this.#startedAt = session.clock.now();
    const { repeats } = session.loaded.matrix.load;
    this.#fixtures = prepared.fixtures.map((fixture) =>
      fixtureFacts(fixture, prepared.selected.get(fixture.manifest.id) ?? [], repeats),
    );
    this.#banks = new Map(history.banks.map((bank) => [blockName(bank), bank]));
    this.#vectorBanks = new RunVectorBanks(history.vector_banks, prepared);
    for (const plan of prepared.plans) {
      const block = blockOf(plan);
      if (this.#banks.has(blockName(block))) continue;
      this.#banks.set(blockName(block), { ...block, action: plan.action, bank: plan.found?.bank.digest ?? null });
    }
  }

  /** The matrix and the lessons first: a manifest never names what is not there. */
  async start(): Promise<void> {
    const { file } = this.history.matrices.at(-1) as RunManifest['matrices'][number];
    if (this.history.kind !== 'resume') await this.folder.writeMatrix(file, stringify(this.session.loaded.matrix));
    if (this.session.lessons !== null) await this.folder.writeLessons(this.session.lessons.text);
    await this.#write('running', null);
  }

  /** Whether the run's own plan was to record a block's bank: found now, an earlier session did. */
  wasToRecord(block: BlockId): boolean {
    return this.#banks.get(blockName(block))?.action === 'record';
  }

  /** From here on the run has this bank for a block and no other: before its first row, the manifest says so. */
  async bindBank(block: BlockId, bank: Digest): Promise<void> {
    const known = this.#banks.get(blockName(block));
    if (known?.bank === bank) return;
    this.#banks.set(blockName(block), { ...block, action: known?.action ?? 'record', bank });
    await this.#write('running', null);
  }

  /** Whether the run's own plan was to record a unit's vectors. */
  wasToRecordVectors(block: BlockId, unit: RecallUnit): boolean {
    return this.#vectorBanks.wasToRecord(block, unit);
  }

  /** The same of a unit's vectors: before its first row, the manifest names their bank. */
  async bindVectorBank(block: BlockId, unit: RecallUnit, opened: OpenedVectors): Promise<void> {
    if (this.#vectorBanks.bind(block, unit, opened)) await this.#write('running', null);
  }

  finish(result: RunResult): Promise<void> {
    return this.#write(result.status, result);
  }

  async #write(status: RunManifest['status'], result: RunResult | null): Promise<void> {
    const { session, folder, history } = this;
    const present = {
      kind: history.kind,
      started_at: this.#startedAt,
      finished_at: result === null ? null : session.clock.now(),
    };
    await folder.writeManifest(
      runManifest({
        folder,
        session,
        started_at: history.started_at ?? this.#startedAt,
        status,
        matrices: history.matrices,
        sessions: [...history.sessions, present],
        fixtures: this.#fixtures,
        banks: [...this.#banks.values()],
        vector_banks: this.#vectorBanks.all,
        stopped_by_budget: this.gate.closedBy?.message ?? null,
        result,
      }),
    );
  }
}
