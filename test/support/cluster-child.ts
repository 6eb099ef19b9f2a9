import { createInterface } from 'node:readline';
import { systemClock } from '../../src/core/clock.js';
import { RecallMatrixError } from '../../src/core/errors.js';
import { openPostgres } from '../../src/postgres/open.js';

// Uses the local server as a run does, makes a scratch database, and holds both until a line comes on standard input.
try {
  const started = systemClock.monotonicMs();
  const server = await openPostgres({ databaseUrl: null, clock: systemClock, signal: new AbortController().signal });
  const startMs = systemClock.monotonicMs() - started;
  const scratch = await server.createScratch([{ name: '0001', sql: 'create schema s' }]);
  const control = process.argv.includes('control') ? await server.openControl() : null;
  await control?.query('create table if not exists public.kept (word text)');
  await control?.query(`insert into public.kept values ('here')`);
  const kept = control === null ? [] : (await control.query('select word from public.kept')).rows;
  const { rows } = await scratch.admin.query(
    `select current_setting('data_directory') as data, pg_postmaster_start_time()::text as started, current_setting('fsync') as fsync,
            current_setting('unix_socket_directories') as socket, pg_encoding_to_char(encoding) as encoding, datcollate as collation
       from pg_database where datname = current_database()`,
  );
  const facts = { ...rows[0], scratch: scratch.name, notes: server.notes, kept: kept.length, startMs };
  process.stdout.write(`${JSON.stringify(facts)}\n`);
  for await (const _ of createInterface(process.stdin)) break;
  await scratch.runtime.query('select 1');
  await server.close();
} catch (error) {
  const code = error instanceof RecallMatrixError ? error.code : 'internal';
  process.stdout.write(`${JSON.stringify({ code, message: String(error) })}\n`);
  process.exitCode = 1;
}
process.stdin.destroy();
