import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.js';
import { RecallMatrixError } from '../../src/core/errors.js';
import { openPostgres } from '../../src/postgres/open.js';

// Opens a local server, prints a line of what it is, and holds it until standard input ends.
const started = systemClock.monotonicMs();
try {
  const server = await openPostgres({
    databaseUrl: null,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  const startMs = systemClock.monotonicMs() - started;
  const scratch = await server.createScratch([{ name: '0001', sql: 'create schema s' }]);
  const { rows } = await scratch.admin.query<{ data: string }>(
    `select current_setting('data_directory') as data, current_setting('TimeZone') as zone, pg_encoding_to_char(encoding) as encoding,
            datcollate as collation, datctype as ctype, current_setting('default_text_search_config') as text_search,
            current_setting('lc_messages') as messages
       from pg_database where datname = current_database()`,
  );
  const facts = rows[0]!;
  const pid = Number(readFileSync(join(facts.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.stdout.write(`${JSON.stringify({ ...facts, pid, version: server.version, startMs })}\n`);
  for await (const _ of process.stdin);
  await server.close();
} catch (error) {
  const code = error instanceof RecallMatrixError ? error.code : 'internal';
  process.stdout.write(`${JSON.stringify({ code, message: String(error) })}\n`);
  process.exitCode = error instanceof RecallMatrixError ? error.exitCode : 1;
}
