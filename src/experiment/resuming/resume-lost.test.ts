import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { received, simpleModels } from '../../../test/support/chat-models.js';
import {
  BM25,
  journalOf,
  KEY,
  KEY_VARIABLE,
  type MatrixParts,
  RECENCY,
  rowsOf,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../../../test/support/cli-priced.js';
import type { OpenAiServer, OpenAiServerOptions } from '../../../test/support/openai-server/index.js';
import { testServerUrl } from '../../../test/support/postgres.js';
import { startTestServer } from '../../../test/support/postgres-global-setup.js';
import { sessionOptions } from '../../../test/support/session-options.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { systemClock } from '../../core/clock.js';
import type { Progress } from '../experiment.js';
import { type RunOutcome, runMatrix } from '../run.js';
import type { ContinueOptions } from './continued-run.js';
import { resumeRun } from './resume-run.js';

const TASKS = 8;
const ONE_TRY = { retry: { attempts: 1 } };
type Go = (changes?: Partial<ContinueOptions>) => Promise<RunOutcome>;
let server: OpenAiServer;
afterEach(() => server.close());

async function start(
  behaviour: Partial<OpenAiServerOptions> = {},
  parts: Partial<MatrixParts> = {},
): Promise<{ run: Go; resume: Go }> {
  const folder = await temporaryFolder();
  server = await startPricedServer({ answer: simpleModels(), ...behaviour });
  const matrixPath = await writeMatrix(folder, {
    url: server.url,
    fixtures: [await writeFixture(folder, 'small')],
    arms: [BM25, RECENCY],
    concurrency: 1,
    ...parts,
  });
  const options = (changes: Partial<ContinueOptions>) => ({
    ...sessionOptions(folder, { clock: systemClock, environment: { [KEY_VARIABLE]: KEY } }),
    ...changes,
  });
  const resumeIn = (changes: Partial<ContinueOptions> = {}): Promise<RunOutcome> =>
    resumeRun({ ...options(changes), run: 'latest', matrixPath: null, budget: null, retryFailed: false, ...changes });
  return { run: (changes = {}) => runMatrix({ ...options(changes), matrixPath }), resume: resumeIn };
}

/** Does something once so many questions are done. */
function onceAsked(questions: number, act: () => void): Progress {
  return (event) => {
    if (event.kind === 'stage' && event.stage.endsWith('asking') && event.done === questions) act();
  };
}

const actual = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.reduce((sum, row) => sum + row.actual.nano_usd + row.actual.uncertain_nano_usd, 0);

describe('a row that the provider lost', () => {
  it('OB-5 R-03 R-08 stays, and still fails the run, until --retry-failed asks it again; nothing paid is left out', async () => {
    const { run, resume } = await start({}, { provider: ONE_TRY });
    const first = await run({
      progress: onceAsked(2, () => server.failNext({ kind: 'status', status: 500 })),
    });
    expect(first.kinds).toEqual(['provider']);
    const [command, flag] = [first.result.resume ?? '', '--retry-failed'];
    expect(command.endsWith(flag)).toBe(true);
    const asked = server.requests.length;

    const again = await resume();
    expect(server.requests).toHaveLength(asked);
    expect(again.kinds).toEqual(first.kinds);
    expect(again.result.problems).toEqual(first.result.problems);
    expect(again.result.arms).toEqual(first.result.arms);

    const lost = (await rowsOf(first.result.path)).filter(({ outcome }) => outcome.kind === 'failed');
    expect(lost).toHaveLength(1);
    const retried = await resume({ retryFailed: true });
    expect(server.requests).toHaveLength(asked + 1);
    expect(retried).toMatchObject({ kinds: [], result: { status: 'complete', resume: null, problems: [] } });
    const rows = await rowsOf(first.result.path);
    expect(rows).toHaveLength(TASKS);
    const { spent_nano_usd, held_nano_usd, by_arm_and_stage } = retried.result.ledger;
    const reading = by_arm_and_stage.filter(({ stage }) => stage === 'reader');
    expect(actual(rows)).toBe(reading.reduce((sum, one) => sum + one.spent_nano_usd + one.held_nano_usd, 0));
    expect(spent_nano_usd + held_nano_usd).toBeGreaterThan(actual(rows));
  });

  it('OB-5 stays in a cell that is not finished, too', async () => {
    const { run, resume } = await start({}, { provider: ONE_TRY });
    const stop = new AbortController();
    const failing = onceAsked(2, () => server.failNext({ kind: 'status', status: 500 }));
    const stopping = onceAsked(4, () => stop.abort());
    await run({
      signal: stop.signal,
      progress: (event) => {
        failing(event);
        stopping(event);
      },
    });
    const { kinds, result } = await resume();
    expect(received(server, 'reader')).toHaveLength(TASKS);
    expect(kinds).toEqual(['provider']);
    expect(result.arms.reduce((sum, { answered }) => sum + answered, 0)).toBe(TASKS - 1);
  });

  it('OB-4 OB-5 a failure of the arm’s own making is never tried again', async () => {
    const answer = simpleModels();
    let spoilt = 0;
    const { run, resume } = await start({
      answer: (request, index) => {
        const text = answer(request, index);
        return text.startsWith('{"abstains"') && spoilt++ === 1 ? 'no answer' : text;
      },
    });
    const { result } = await run();
    expect(result.arms.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
    const asked = server.requests.length;
    const again = await resume({ retryFailed: true });
    expect(server.requests).toHaveLength(asked);
    expect(again.result.arms).toEqual(result.arms);
  });
});

describe('a run whose ledger was cut off', () => {
  it('LG-12 RS-2 OB-5 is refused where its rows were paid with calls that the ledger does not know, before anything is sent', async () => {
    const { run, resume } = await start();
    const stop = new AbortController();
    const { result } = await run({ signal: stop.signal, progress: onceAsked(4, () => stop.abort()) });
    const path = join(result.path, 'ledger.jsonl');
    const text = await readFile(path, 'utf8');
    const lines = text.trimEnd().split('\n');
    const asked = server.requests.length;
    // Whole lines, each with sums that are right: only the rows know better.
    await writeFile(
      path,
      lines
        .slice(0, -2)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await expect(resume()).rejects.toMatchObject({ code: 'LEDGER_BEHIND_ROWS', exitCode: 2 });
    expect(server.requests).toHaveLength(asked);
    await writeFile(path, text);
    expect((await resume()).result.status).toBe('complete');
  });
});

describe('a run that its budget stopped', () => {
  it('LG-10 OB-5 is resumed with a higher limit: refused and skipped questions are asked, answered ones are not', async () => {
    const { run, resume } = await start({}, { budget_usd: '0.0021', profile: { max_output_tokens: 500 } });
    const stopped = await run();
    expect(stopped.kinds).toContain('budget');
    expect(stopped.result.status).toBe('incomplete');
    const answered = stopped.result.arms.reduce((sum, arm) => sum + arm.answered, 0);
    expect(answered).toBeLessThan(TASKS);
    const asked = received(server, 'reader').length;
    const resumed = await resume({ budget: '1' });
    expect(resumed).toMatchObject({ kinds: [], result: { status: 'complete', problems: [] } });
    expect(received(server, 'reader')).toHaveLength(asked + TASKS - answered);
    const kinds = (await journalOf(resumed.result.path)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'amendment')).toHaveLength(1);
  });
});

describe('a server that is lost while the run reads', () => {
  it('RS-3 stops the run (exit 8) without a row lost or invented, and the run is resumed on another', async () => {
    const postgres = await startTestServer();
    let stopping: Promise<void> | null = null;
    const answer = simpleModels();
    const { run, resume } = await start({
      answer: async (request, index) => {
        // Whoever is being read when the server begins to stop is answered once it has: the next question meets no server.
        await stopping;
        return answer(request, index);
      },
    });
    const lost = await run({
      databaseUrl: postgres.url,
      progress: onceAsked(3, () => {
        stopping = postgres.stop();
      }),
    });
    await stopping;
    expect(lost.kinds).toContain('database');
    expect(lost.result).toMatchObject({ status: 'incomplete', resume: expect.stringContaining('run --resume ') });
    expect(lost.result.problems).toMatchObject([{ kind: 'database', code: expect.stringMatching(/_LOST$/) }]);
    const answered = lost.result.arms.reduce((sum, arm) => sum + arm.answered, 0);
    const asked = received(server, 'reader').length;
    expect(answered).toBe(asked);
    expect(answered).toBeLessThan(TASKS);
    const resumed = await resume({ databaseUrl: testServerUrl() });
    expect(resumed).toMatchObject({ kinds: [], result: { status: 'complete' } });
    expect(received(server, 'reader')).toHaveLength(TASKS);
  });
});

describe('cells that were formed live', () => {
  const live = { bank: 'off' };

  it('FB-16 OB-5 a finished one is neither formed nor asked again; another is formed again, to the same state', async () => {
    const { run, resume } = await start({}, live);
    const stop = new AbortController();
    const stopped = await run({ signal: stop.signal, progress: onceAsked(5, () => stop.abort()) });
    expect(stopped.result.status).toBe('incomplete');
    const formed = received(server, 'formation').length;
    const resumed = await resume();
    expect(resumed.result).toMatchObject({ status: 'complete', formation: [{ source: 'live' }] });
    expect(received(server, 'reader')).toHaveLength(TASKS);
    expect(received(server, 'formation').length).toBeGreaterThan(formed);
    const spent = resumed.result.ledger.by_arm_and_stage.filter(({ stage }) => stage === 'formation');
    expect(resumed.result.formation[0]?.actual_nano_usd).toBe(spent.reduce((sum, one) => sum + one.spent_nano_usd, 0));
  });

  it('FB-16 OB-5 one whose state differs now is refused: two states never share a cell', async () => {
    const { run, resume } = await start({ answer: simpleModels((text, index) => `${text} (${index})`) }, live);
    const stop = new AbortController();
    const stopped = await run({ signal: stop.signal, progress: onceAsked(5, () => stop.abort()) });
    const rows = (await rowsOf(stopped.result.path)).filter(({ outcome }) => outcome.kind === 'answered');
    const resumed = await resume();
    expect(resumed.kinds).toEqual(['parity', 'parity']);
    expect(resumed.result.arms).toMatchObject([{ parity: 'changed' }, { parity: 'changed' }]);
    expect(resumed.result.problems).toMatchObject([{ code: 'STATE_CHANGED_SINCE' }, { code: 'STATE_CHANGED_SINCE' }]);
    const after = (await rowsOf(stopped.result.path)).filter(({ outcome }) => outcome.kind === 'answered');
    expect(after).toEqual(rows);
  });
});
