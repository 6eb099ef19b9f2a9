import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.js';
import { databaseUnavailable } from '../../src/core/errors.js';
import { TwinLedger } from '../../src/experiment/owner-ledger/twin-ledger.js';
import type { EmbeddingAdmission } from '../../src/memory/query-preparation/admission.js';
import type { SemanticQuery, UnpreparedReason } from '../../src/memory/query-preparation/query-preparation.js';
import { createQueryPreparer } from '../../src/memory/query-preparation/query-preparer.js';
import type { EmbeddingResult, EmbeddingTuple } from '../../src/provider/embedding.js';
import { meterEmbeddings } from '../../src/provider/metered.js';
import type { Usage } from '../../src/provider/usage.js';
import { type AdmissionBench, CEILINGS, inMemoryAdmissionBench, OWNER, requestOf } from '../support/admission-bench.js';
import { type FileLedgerBench, fileLedgerBench, readerCall } from '../support/ledger-bench.js';
import { BODY, roundPrice, usageOf } from '../support/metered-samples.js';
import { useTestDatabase } from '../support/postgres.js';
import { postgresAdmissionBench } from '../support/postgres-admission-bench.js';
import { sampleContext } from '../support/preparation-context.js';

const DAY = '2026-03-01';
const START = `${DAY}T09:00:00.000Z`;
const TUPLE: EmbeddingTuple = { kind: 'openai', endpoint: 'there', model: 'm', dimensions: 2 };
const SIGNAL = new AbortController().signal;
/** Of one request: (50 + 10) bytes and tokens at 100 nano-dollars. */
const WORST = 6_000n;
const query = (question: string): SemanticQuery => ({
  owner: OWNER,
  scope: 'standard',
  candidates: 'permitted',
  read_ceiling: 'restricted',
  question,
  subjects: [],
});

const database = useTestDatabase([], { per: 'suite' });
const FORMS: readonly (readonly [string, () => Promise<AdmissionBench>])[] = [
  ['in memory', () => inMemoryAdmissionBench(START)],
  ['in Postgres', () => postgresAdmissionBench(database(), START)],
];

/** A clock whose sleepers sleep until it is advanced. */
function sleeping(clock: Clock): Clock {
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const callOff = clock.alarm(ms, resolve);
      signal?.addEventListener('abort', () => {
        callOff();
        reject(signal.reason);
      });
    });
  return { ...clock, sleep };
}

describe.each(FORMS)('SQ-12 preparation under the owner’s ledger %s', (_name, makeBench) => {
  let bench: AdmissionBench;
  let owners: EmbeddingAdmission;
  let matrices: FileLedgerBench[];
  beforeEach(async () => {
    bench = await makeBench();
    owners = await bench.open();
    matrices = [];
  });
  afterEach(async () => {
    await bench.dispose();
    for (const matrix of matrices) await matrix.dispose();
  });

  /** The preparer of a run of its own, with the meter, both ledgers, and a provider that does what a test wants while it is asked. */
  async function preparerOf(run: string, parts: { whileAsked?: () => Promise<void>; usage?: Usage | null } = {}) {
    const { whileAsked = async () => {}, usage = usageOf({ input_uncached: 7 }) } = parts;
    const matrix = await fileLedgerBench(run);
    matrices.push(matrix);
    const clock = sleeping(bench.clock);
    const common = { run, clock, ownerOf: () => OWNER };
    const ledger = new TwinLedger({ ...common, matrix: await matrix.create(1_000_000n), owners });
    const reasons: UnpreparedReason[] = [];
    let asked = 0;
    const provider = meterEmbeddings({
      adapter: {
        leaves_process: true,
        tuple: TUPLE,
        prepare: (texts) => ({
          body_bytes: 50,
          body_digest: BODY,
          max_output_tokens: 0,
          send: async (): Promise<EmbeddingResult> => {
            asked += 1;
            await whileAsked();
            return { vectors: texts.map(() => Float32Array.of(3, 4)), reported_model: 'm', usage };
          },
        }),
      },
      ledger,
      price: roundPrice,
      attribution: () => ({ ...readerCall, arm: null, stage: 'query' }),
      overheadTokens: 10,
      clock,
    });
    const context = sampleContext(TUPLE, true);
    const preparer = createQueryPreparer({
      owner: OWNER,
      provider,
      context,
      clock,
      onUnprepared: (reason) => reasons.push(reason),
    });
    return {
      reasons,
      asked: () => asked,
      lines: () => matrix.lines(),
      miss: () => preparer.lookup(query('a')).miss,
      prepare: () => preparer.prepare([query('a')], SIGNAL),
    };
  }

  const receipts = async () =>
    (await (await bench.open()).receipts(OWNER, DAY)).map(
      ({ kind, status, charge_nano_usd }) => `${kind} ${status} ${charge_nano_usd}`,
    );

  it('SQ-10 the reservation is committed before the provider is asked, and the vector is in the cache once the settlement is', async () => {
    const seen: unknown[] = [];
    const run = await preparerOf('run-1', {
      whileAsked: async () =>
        void seen.push(
          await receipts(),
          (await run.lines()).map(({ kind }) => kind),
        ),
    });
    const { settle } = owners;
    owners.settle = async (...args) => {
      seen.push(run.miss());
      const isBooked = await settle.apply(owners, args);
      seen.push(await receipts(), run.miss());
      return isBooked;
    };
    expect(await run.prepare()).toEqual(['prepared']);
    expect(seen).toEqual([[`query pending ${WORST}`], ['reserve'], 'unprepared', ['query settled 1000'], 'unprepared']);
    expect(run.miss()).toBeNull();
    expect(await run.lines()).toMatchObject([{ kind: 'reserve' }, { kind: 'settle', cost_nano_usd: 700 }]);
  });

  it('SQ-10 where the settlement cannot be committed nothing enters the cache, and the whole charge stays', async () => {
    const run = await preparerOf('run-1');
    owners.settle = () => Promise.reject(databaseUnavailable('POSTGRES_LOST', 'gone', { remedy: 'start it' }));
    await expect(run.prepare()).rejects.toMatchObject({ kind: 'database' });
    expect(run.miss()).toBe('unprepared');
    expect(await receipts()).toEqual([`query pending ${WORST}`]);
  });

  it('SQ-10 unknown usage keeps the whole charge; the vectors that came are used', async () => {
    const run = await preparerOf('run-1', { usage: null });
    expect(await run.prepare()).toEqual(['prepared']);
    expect(run.miss()).toBeNull();
    expect(await receipts()).toEqual([`query unknown ${WORST}`]);
    expect(await run.lines()).toMatchObject([{ kind: 'reserve' }, { kind: 'hold', reason: 'usage-missing' }]);
  });

  it('SQ-8 SQ-10 a receipt that became unknown while the provider was asked keeps its whole charge, and the answer is nobody’s', async () => {
    const run = await preparerOf('run-1', { whileAsked: () => owners.markUnknown(OWNER, 'run-1/r1') });
    expect(await run.prepare()).toEqual(['unprepared']);
    expect([run.miss(), run.reasons]).toEqual(['unprepared', ['lease-lost']]);
    expect(await receipts()).toEqual([`query unknown ${WORST}`]);
    expect(await run.lines()).toMatchObject([{ kind: 'reserve' }, { kind: 'hold', reason: 'lease-lapsed' }]);
  });

  it('SQ-9 while one run prepares, another of the owner is refused, is not asked, and both go on', async () => {
    const second = await preparerOf('run-2');
    const first = await preparerOf('run-1', {
      whileAsked: async () => expect(await second.prepare()).toEqual(['refused:slot']),
    });
    expect(await first.prepare()).toEqual(['prepared']);
    expect([second.asked(), second.miss()]).toEqual([0, 'refused:slot']);
    expect(await second.prepare()).toEqual(['prepared']);
    expect(await receipts()).toEqual(['query settled 1000', 'query settled 1000']);
  });

  it('SQ-10 what a killed process had reserved is unknown before the next start replaces it, at the deadline and not before', async () => {
    await owners.reserve(requestOf(WORST, { kind: 'query', receipt: 'killed/r1' }));
    await owners.close();
    owners = await bench.open();
    const next = await preparerOf('run-2');
    bench.clock.advance(14_999);
    expect(await next.prepare()).toEqual(['refused:slot']);
    expect(await receipts()).toEqual([`query pending ${WORST}`]);
    bench.clock.advance(1);
    expect(await next.prepare()).toEqual(['prepared']);
    expect(await receipts()).toEqual([`query unknown ${WORST}`, 'query settled 1000']);
  });

  it.each(['index', 'query'] as const)(
    'SQ-9 what %s has used up of the day is not prepared, nor asked',
    async (kind) => {
      for (let spent = 0n; spent < CEILINGS.day_nano_usd; spent += CEILINGS.request_nano_usd) {
        const { receipt } = requestOf(0n);
        await owners.reserve(requestOf(CEILINGS.request_nano_usd, { kind, receipt }));
        await owners.settle(OWNER, receipt, CEILINGS.request_nano_usd);
      }
      const run = await preparerOf('run-1');
      expect(await run.prepare()).toEqual(['refused:day']);
      expect([run.asked(), run.miss()]).toEqual([0, 'refused:day']);
      expect(await run.lines()).toMatchObject([{ kind: 'reserve' }, { kind: 'release', reason: 'owner-ceiling-day' }]);
    },
  );
});
