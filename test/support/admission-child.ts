import { createInterface } from 'node:readline';
import { systemClock } from '../../src/core/clock.js';
import { openPostgresAdmission } from '../../src/memory/query-preparation/admission/postgres-admission.js';
import { openPostgres } from '../../src/postgres/open.js';
import { CEILINGS, OWNER, requestOf } from './admission-bench.js';

// One of two processes that prepare for one owner: opens the owner's ledger as a run does, reserves a query when it is told to (a line on standard
// input), says what came of it, and closes at the next line.
const [, , url] = process.argv as string[] as [string, string, string];
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const server = await openPostgres({ databaseUrl: url, clock: systemClock, signal: new AbortController().signal });
const [admin, runtime] = [await server.openControl(), await server.openControlRuntime()];
const ledger = await openPostgresAdmission({ admin, runtime, clock: systemClock, ceilings: CEILINGS });
say('ready');
await lines.next();
const result = await ledger.reserve(
  requestOf(100_000n, { receipt: `run/${process.pid}`, kind: 'query', owner: OWNER }),
);
say(result.kind === 'admitted' ? `admitted ${result.receipt.deadline}` : `refused ${result.ceiling}`);
await lines.next();
await ledger.close();
await server.close();
say('closed');
process.stdin.destroy();
