import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.js';
import { readDatabaseUrl } from './address.js';
import { type EmbeddedServer, startEmbedded } from './embedded/embedded-server.js';
import { closePool, openPool, type ServerAddress } from './pool.js';
import type { PostgresServer } from './postgres.js';
import { Server } from './server.js';
import { checkRights, checkVersion, readFacts, type ServerFacts, showVersion } from './server-checks.js';

const MAINTENANCE_CONNECTIONS = 3;

/** What opening needs. */
export interface OpenOptions {
  /** An existing server's URL, with its password; null starts a local server. */
  readonly databaseUrl: string | null;
  /** Where the local server's programs are kept between runs; null or absent: the usual place for caches. */
  readonly cacheFolder?: string | null;
  readonly clock: Clock;
  /** Aborts the start; a running server is ended by `close`. */
  readonly signal: AbortSignal;
  /** Existing servers only: leave templates for other invocations at close. */
  readonly keepTemplates?: boolean;
}

/**
 * Opens the server that an invocation works on: a local one of its own, or an existing one (PG-1). The caller closes it, also when it is
 * interrupted; a process that is killed takes its local server with it.
 *
 * @throws kind `database` (exit 8): `POSTGRES_DID_NOT_START`, `POSTGRES_UNREACHABLE`, `POSTGRES_WRONG_VERSION`, `POSTGRES_MISSING_RIGHTS` and
 * others, each with the server's own words and the remedy; kind `invalid-input` for a URL that cannot be read.
 */
export async function openPostgres(options: OpenOptions): Promise<PostgresServer> {
  const { databaseUrl, clock, signal } = options;
  if (databaseUrl !== null) {
    return connect(readDatabaseUrl(databaseUrl), {
      kind: 'existing',
      clock,
      keepTemplates: options.keepTemplates ?? false,
    });
  }
  const local = await startEmbedded({ cacheFolder: options.cacheFolder ?? null, clock, signal });
  return connect(addressOf(local), { kind: 'embedded', clock, keepTemplates: true, stop: local.stop });
}

/** The address of a local server's superuser. */
function addressOf(local: EmbeddedServer): ServerAddress {
  // Given in full: what is absent, the driver would take from PG* variables.
  return { config: { ...local.address, ssl: false }, shown: 'the local Postgres server' };
}

interface ConnectOptions {
  readonly kind: 'embedded' | 'existing';
  readonly clock: Clock;
  readonly keepTemplates: boolean;
  readonly stop?: () => Promise<void>;
}

async function connect(address: ServerAddress, options: ConnectOptions): Promise<PostgresServer> {
  const { kind, clock, keepTemplates, stop = async () => {} } = options;
  const maintenance = openMaintenance(address);
  try {
    const facts = await readChecked(maintenance, address.shown);
    const invocation = randomBytes(5).toString('hex');
    return new Server({ kind, address, facts, maintenance, invocation, clock, keepTemplates, stop });
  } catch (error) {
    await closePool(maintenance);
    await stop();
    throw error;
  }
}

function openMaintenance(address: ServerAddress): ReturnType<typeof openPool> {
  const { database, user } = address.config;
  return openPool(address, {
    database: database ?? user ?? 'postgres',
    maxConnections: MAINTENANCE_CONNECTIONS,
    applicationName: 'recall-matrix',
  });
}

async function readChecked(maintenance: ReturnType<typeof openPool>, shown: string): Promise<ServerFacts> {
  const facts = await readFacts(maintenance, shown);
  checkVersion(facts, shown);
  checkRights(facts, shown);
  return facts;
}

/** What `doctor` tells of the server that a run would use. */
export interface PostgresFacts {
  readonly kind: 'embedded' | 'existing';
  /** As the server says it, e.g. `18.4`. */
  readonly version: string;
  /** From nothing to the first answer, in milliseconds. */
  readonly startMs: number;
  /** The system user that runs a local server, or the role that we log in as. */
  readonly runsAs: string;
  /** Null for an existing server. */
  readonly cacheFolder: string | null;
}

/** Opens and closes a server to see whether it can be used, making nothing on it. Throws as `openPostgres` does. */
export async function probePostgres(options: OpenOptions): Promise<PostgresFacts> {
  const { databaseUrl, clock, signal } = options;
  const started = clock.monotonicMs();
  const local =
    databaseUrl === null ? await startEmbedded({ cacheFolder: options.cacheFolder ?? null, clock, signal }) : null;
  const address = local === null ? readDatabaseUrl(databaseUrl ?? '') : addressOf(local);
  const maintenance = openMaintenance(address);
  try {
    const facts = await readChecked(maintenance, address.shown);
    return {
      kind: local === null ? 'existing' : 'embedded',
      version: showVersion(facts.versionNumber),
      startMs: clock.monotonicMs() - started,
      runsAs: local?.runsAs ?? `role ${facts.user}`,
      cacheFolder: local?.cacheFolder ?? null,
    };
  } finally {
    await closePool(maintenance);
    await local?.stop();
  }
}
