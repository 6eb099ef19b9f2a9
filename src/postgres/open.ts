import type pg from 'pg';
import type { Clock } from '../core/clock.js';
import { RecallMatrixError } from '../core/errors.js';
import { readDatabaseUrl } from './address.js';
import type { EmbeddedServer } from './embedded/embedded-server.js';
import { openLocalServer } from './embedded/local-server.js';
import { declareLiving, newInvocation } from './invocation.js';
import { dropLeftovers, findLeftovers } from './leftovers.js';
import { closePool, openPool, type ServerAddress } from './pool.js';
import type { PostgresServer } from './postgres.js';
import { Server } from './server.js';
import { checkRights, checkVersion, readFacts, type ServerFacts } from './server-checks.js';

const MAINTENANCE_CONNECTIONS = 4;

/** What opening needs. */
export interface OpenOptions {
  /** An existing server's URL, with its password; null uses the local one. */
  readonly databaseUrl: string | null;
  /** Where the local server's programs are kept between runs; null or absent: the usual place for caches. */
  readonly cacheFolder?: string | null;
  readonly clock: Clock;
  /** Aborts the start; a running server is ended by `close`. */
  readonly signal: AbortSignal;
  /** Existing servers only: leave templates for other invocations at close. */
  readonly keepTemplates?: boolean;
}

/** A server that was reached, checked, and not used yet. */
export interface OpenedServer {
  readonly kind: 'embedded' | 'existing';
  readonly address: ServerAddress;
  readonly facts: ServerFacts;
  /** To the database that the address names. */
  readonly maintenance: pg.Pool;
  /** Null for an existing server. */
  readonly local: EmbeddedServer | null;
  readonly notes: readonly string[];
  /** Ends the connections, and leaves a local server. */
  close(): Promise<void>;
}

/**
 * Opens the server that an invocation works on: the local one, or an existing one (PG-1). What killed runs left on it is removed first (PG-5).
 * The caller closes it, also when it is interrupted; a process that is killed leaves its local server to those who still use it.
 *
 * @throws kind `database` (exit 8): `POSTGRES_DID_NOT_START`, `POSTGRES_UNREACHABLE`, `POSTGRES_WRONG_VERSION`, `POSTGRES_MISSING_RIGHTS` and
 * others, each with the server's own words and the remedy; kind `invalid-input` for a URL that cannot be read.
 */
export async function openPostgres(options: OpenOptions): Promise<PostgresServer> {
  const opened = await reachServer(options);
  const { kind, address, facts, maintenance, local } = opened;
  const invocation = newInvocation();
  let living: pg.PoolClient | null = null;
  try {
    living = await maintenance.connect();
    await declareLiving(living, invocation);
    const removed = await removeLeftovers(living, kind);
    return new Server({
      kind,
      address,
      facts,
      maintenance,
      invocation,
      living,
      clock: options.clock,
      keepTemplates: local !== null || (options.keepTemplates ?? false),
      isDisposable: local !== null && local.clusterFolder === null,
      notes: [...opened.notes, ...removed],
      ended: () => local?.ended ?? null,
      syncFiles: local === null ? null : () => local.syncFiles(),
      stop: async () => local?.stop(),
    });
  } catch (error) {
    living?.release(true);
    await opened.close();
    throw error;
  }
}

/** Reaches a server and checks that it can be used, making nothing on it. */
export async function reachServer(options: OpenOptions): Promise<OpenedServer> {
  const { databaseUrl, clock, signal } = options;
  const found =
    databaseUrl === null ? await openLocalServer({ cacheFolder: options.cacheFolder ?? null, clock, signal }) : null;
  const local = found?.server ?? null;
  // Given in full: what is absent, the driver would take from PG* variables.
  const address: ServerAddress =
    local === null
      ? readDatabaseUrl(databaseUrl ?? '')
      : { config: { ...local.address, ssl: false }, shown: 'the local Postgres server' };
  const maintenance = openMaintenance(address);
  const close = async (): Promise<void> => {
    await closePool(maintenance);
    await local?.stop();
  };
  try {
    const facts = await readFacts(maintenance, address.shown);
    checkVersion(facts, address.shown);
    checkRights(facts, address.shown);
    const notes = found === null || found.note === null ? [] : [found.note];
    return { kind: local === null ? 'existing' : 'embedded', address, facts, maintenance, local, notes, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openMaintenance(address: ServerAddress): pg.Pool {
  const { database, user } = address.config;
  return openPool(address, {
    database: database ?? user ?? 'postgres',
    maxConnections: MAINTENANCE_CONNECTIONS,
    applicationName: 'recall-matrix',
  });
}

/** Removing is a favour to the user: where it fails (somebody else removes the same), the run goes on, and the next looks again. */
async function removeLeftovers(client: pg.PoolClient, kind: OpenedServer['kind']): Promise<string[]> {
  try {
    const dropped = await dropLeftovers(client, await findLeftovers(client, kind));
    const databases = dropped.filter(({ object }) => object === 'database').length;
    return databases === 0 ? [] : [`removed ${databases} scratch databases that a killed run had left`];
  } catch (error) {
    if (error instanceof RecallMatrixError) throw error;
    return [];
  }
}
