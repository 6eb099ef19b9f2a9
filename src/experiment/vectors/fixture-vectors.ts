import { PendingVectors } from '../../bank/pending-vectors.js';
import type { PinnedQuery, VectorRecording } from '../../bank/vector-bank.js';
import { refuseTooManyVectors } from '../../bank/vector-bank-bound.js';
import { readVectorBank, writeVectorBank } from '../../bank/vector-bank-folder.js';
import { pendingVectorsPath } from '../../bank/vector-bank-names.js';
import type { Digest } from '../../core/digest.js';
import { kindOf, messageOf } from '../../core/errors.js';
import type { Question } from '../../fixture/question.js';
import type { RecallUnit } from '../../memory/memory.js';
import type { Withholding } from '../../memory/query-preparation/guards/withholding.js';
import type { BatchedEmbeddingProvider } from '../../provider/embedding-batches.js';
import { CallAccount } from '../asking/call-account.js';
import { blockName } from '../block-id.js';
import { type ExaminedFixture, openFixture } from '../examined-fixture.js';
import type { VectorResult } from '../experiment.js';
import type { FixtureFormation } from '../formation/formation-bank.js';
import {
  beliefsOf,
  lookUpVectors,
  turnsOf,
  type VectorPlan,
  type VectorSubject,
  vectorBankFolder,
  whyVectorsRecorded,
} from '../planning/plan-vectors.js';
import type { RunFolder } from '../run-folder.js';
import { type Session, tell } from '../session.js';
import { embeddingPrice, embeddingSpace } from './embedding-space.js';
import { runIndexJob } from './index-job.js';
import { BankItems, CellVectors, type ItemSource, LiveItems } from './item-vectors.js';
import { asOnlyRecorder } from './only-recorder.js';
import { preparationContext } from './preparation-context.js';
import { QueryMisses } from './query-misses.js';
import { QueryPins } from './query-pins.js';
import { QueryVectors } from './query-vectors.js';
import type { OpenedVectors } from './run-vector-banks.js';

/** What the vectors of one fixture are opened from. */
export interface FixtureVectorParts {
  readonly session: Session;
  readonly fixture: ExaminedFixture;
  readonly replicate: number;
  readonly formed: FixtureFormation;
  readonly plans: readonly VectorPlan[];
  /** Whose vectors a bank that is recorded now pins. */
  readonly questions: readonly Question[];
  /** Where the run keeps what became of questions: their vectors, and those that have none. */
  readonly folder: RunFolder;
  /** The run that these vectors are for; null for a recording on its own. */
  readonly run: RunBinding | null;
}

/** What a run knows of its vector banks. */
export interface RunBinding {
  /** Whether an earlier session of the run was to record a unit's vectors: found now, they are its own. */
  wasToRecord(unit: RecallUnit): boolean;
  /** Hears of a unit's vectors before any cell is given one; durable when it returns. */
  bind(unit: RecallUnit, opened: OpenedVectors): Promise<void>;
}

interface Opened {
  readonly source: ItemSource;
  readonly how: Exclude<VectorResult['source'], 'failed'>;
}

const ACTIONS = { replayed: 'replay', recorded: 'record', embedded: 'embed' } as const;

/**
 * The vectors of one fixture's items and questions, replayed from its vector banks, or embedded once and recorded (VB-1, VB-3). Opening
 * begins at once; what goes wrong is met by the cells that need it.
 */
export class FixtureVectors {
  readonly #units = new Map<RecallUnit, Promise<Opened>>();

  private constructor(
    private readonly parts: FixtureVectorParts,
    private readonly index: BatchedEmbeddingProvider,
    private readonly live: LiveItems,
    readonly queries: QueryVectors,
  ) {
    let last: Promise<unknown> = Promise.resolve();
    for (const plan of parts.plans) {
      const opened = last.then(() => this.#openBound(plan));
      this.#units.set(plan.unit, opened);
      last = opened.catch(() => {});
    }
  }

  /** Null where no arm scores vectors, or nothing is prepared. */
  static async open(parts: FixtureVectorParts): Promise<FixtureVectors | null> {
    const { session, fixture, replicate, plans } = parts;
    const { loaded, ledger, providers, clock } = session;
    const { id, owner } = fixture.manifest;
    const block = blockName({ fixture: id, replicate });
    const context = preparationContext(loaded, fixture.manifest);
    if (context === null || plans.length === 0) return null;
    const account = new CallAccount();
    const query = { arm: null, fixture: block, unit: 'question', stage: 'query' as const };
    const provider = providers.embeddings(ledger, query, account.add);
    const items = { arm: null, fixture: block, unit: 'items', stage: 'index' as const };
    const index = providers.embeddings(ledger, items, () => {});
    if (provider === null || index === null) return null;
    const pins = await QueryPins.open(parts.folder.queryVectorsPath(id));
    const misses = await QueryMisses.open(parts.folder.queryMissesPath(id));
    const price = embeddingPrice(loaded.matrix);
    const told = new Set<string>();
    const tellOnce = (what: string): void => {
      const text = `${id}: ${what}`;
      if (!told.has(text)) session.progress({ kind: 'note', text });
      told.add(text);
    };
    const onWithheld = ({ guard, what }: Withholding): void =>
      tellOnce(`questions are withheld from the embedder (${guard}: ${what})`);
    const onFailure = (error: unknown): void => tellOnce(`questions have no vector: ${messageOf(error)}`);
    const queries = new QueryVectors({
      provider,
      context,
      clock,
      owner,
      fixture: id,
      session: session.queries,
      account,
      pins,
      misses,
      price,
      secrets: providers.secretValues,
      onWithheld,
      onFailure,
    });
    return new FixtureVectors(parts, index, new LiveItems(index), queries);
  }

  /** The view of one cell, which counts what the cell needed. */
  forCell(unit: RecallUnit): CellVectors {
    const opened = this.#units.get(unit);
    return new CellVectors(opened === undefined ? Promise.resolve(this.live) : opened.then(({ source }) => source));
  }

  /** What became of each unit's vectors; waits until that is known. */
  async results(): Promise<VectorResult[]> {
    return Promise.all(
      [...this.#units].map(([unit, opening]) =>
        opening.then(
          ({ source: { bank }, how }) => ({
            unit,
            source: how,
            vector_bank: bank?.header.digest ?? null,
            items: bank?.items.size ?? null,
            queries: bank?.queries.size ?? 0,
          }),
          () => ({ unit, source: 'failed' as const, vector_bank: null, items: null, queries: 0 }),
        ),
      ),
    );
  }

  /** The first failure of a unit; null where all were opened. */
  async failure(): Promise<unknown> {
    const settled = await Promise.allSettled(this.#units.values());
    return settled.find((result) => result.status === 'rejected')?.reason ?? null;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#units.values());
    await this.queries.close();
  }

  async #openBound(plan: VectorPlan): Promise<Opened> {
    const { run } = this.parts;
    const opened = await this.#open(plan);
    const isOwn = opened.how === 'replayed' && plan.found !== null && run?.wasToRecord(plan.unit) === true;
    const how = isOwn ? 'recorded' : opened.how;
    await run?.bind(plan.unit, { action: ACTIONS[how], bank: opened.source.bank?.header.digest ?? null });
    return { ...opened, how };
  }

  async #open(plan: VectorPlan): Promise<Opened> {
    const { session, fixture } = this.parts;
    if (plan.action === 'embed') return { source: this.live, how: 'embedded' };
    if (plan.found !== null) return this.#replay(plan.found.path);
    const subject = await this.#subject(plan.unit);
    if (subject === null) return { source: this.live, how: 'embedded' };
    // A formation that was recorded since may have led to a known state, and another run may have recorded its vectors.
    const known = await this.#lookUp(subject);
    if (known.found !== null) return this.#replay(known.found.path);
    const { id } = fixture.manifest;
    const recording = { folder: vectorBankFolder(session.loaded), fixture: id, identity: subject.identity };
    return asOnlyRecorder(pendingVectorsPath(recording), session, async () => {
      const now = await this.#lookUp(subject);
      if (now.found !== null) return this.#replay(now.found.path);
      session.progress({ kind: 'note', text: whyVectorsRecorded(id, now) });
      return this.#record(subject, recording);
    });
  }

  #lookUp({ identity }: VectorSubject): Promise<VectorPlan> {
    return lookUpVectors(this.parts.session.loaded, this.parts.fixture, identity, null);
  }

  async #replay(path: string): Promise<Opened> {
    const bank = await readVectorBank(path);
    this.queries.pin(bank.queries);
    return { source: new BankItems(bank), how: 'replayed' };
  }

  async #subject(unit: RecallUnit): Promise<VectorSubject | null> {
    const { session, fixture, formed } = this.parts;
    const space = embeddingSpace(session.loaded);
    if (space === null) return null;
    if (unit === 'turns') return turnsOf(await openFixture(fixture), space);
    return formed.kind === 'bank' ? beliefsOf(formed.state.digest, formed.state.state, space) : null;
  }

  async #record({ texts, identity }: VectorSubject, recording: VectorRecording): Promise<Opened> {
    const { questions } = this.parts;
    refuseTooManyVectors(`${identity.unit} of ${recording.fixture}`, identity, texts.length, questions.length);
    const pending = await PendingVectors.open(recording, texts.length);
    try {
      this.queries.pin(pending.before.queries);
      await this.#index(texts, pending);
      const prepared = await this.#prepareQuestions(pending);
      const { texts: _texts, ...bound } = identity;
      const parts = { identity: bound, ...pending.parts(texts), queries: prepared };
      const { bank, isOurs } = await writeVectorBank(recording.folder, recording.fixture, parts);
      this.queries.pin(bank.queries);
      await pending.finish();
      return { source: new BankItems(bank), how: isOurs ? 'recorded' : 'replayed' };
    } finally {
      await pending.close();
    }
  }

  async #index(texts: readonly string[], pending: PendingVectors): Promise<void> {
    const { session, fixture } = this.parts;
    const { unit } = pending.before.header.identity;
    let done = pending.cursor;
    await runIndexJob({
      provider: this.index,
      texts,
      pending,
      signal: session.signal,
      onEmbedded: (count) => {
        done += count;
        tell(session, `${fixture.manifest.id}: embedding ${unit}`, done, texts.length);
      },
    });
  }

  /** As far as the budget and the user allow: what is not pinned is prepared when it is asked, and meets them there. */
  async #prepareQuestions(pending: PendingVectors): Promise<Map<Digest, PinnedQuery>> {
    const { session, fixture, questions } = this.parts;
    const keep = async (): Promise<void> => {
      for (const [text, pin] of this.queries.pinned(questions)) await pending.keepQuery(text, pin);
    };
    try {
      await this.queries.prepareAll(fixture.manifest.owner, questions, session.signal, keep);
    } catch (error) {
      if (kindOf(error) !== 'budget' && kindOf(error) !== 'interrupted') throw error;
    }
    return this.queries.pinned(questions);
  }
}
