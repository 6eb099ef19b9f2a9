import { dropLeftovers, findLeftovers, findTemplates, type Leftover, type Leftovers } from './leftovers.js';
import { type OpenedServer, type OpenOptions, reachServer } from './open.js';
import { CLONE_LOCK } from './server.js';
import { showVersion } from './server-checks.js';

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
  /** The kept cluster; null for an existing server, and where a run has a server of its own. */
  readonly clusterFolder: string | null;
  /** Scratch databases and roles that killed runs left. */
  readonly leftovers: number;
  /** What else the user should know; null where there is nothing. */
  readonly note: string | null;
}

/** Opens and closes a server to see whether it can be used, making nothing on it. Throws as `openPostgres` does. */
export async function probePostgres(options: OpenOptions): Promise<PostgresFacts> {
  const started = options.clock.monotonicMs();
  return withServer(options, async ({ kind, facts, local, maintenance, notes }) => {
    const startMs = options.clock.monotonicMs() - started;
    const { dead } = await findLeftovers(maintenance, kind);
    return {
      kind,
      version: showVersion(facts.versionNumber),
      startMs,
      runsAs: local?.runsAs ?? `role ${facts.user}`,
      cacheFolder: local?.cacheFolder ?? null,
      clusterFolder: local?.clusterFolder ?? null,
      leftovers: dead.length,
      note: notes.length === 0 ? null : notes.join('; '),
    };
  });
}

/** What `doctor --clean` did. */
export interface CleanReport {
  readonly removed: readonly Leftover[];
  /** Has our prefix and was left alone, and why. */
  readonly kept: Leftovers['kept'];
}

/** Drops what killed runs left, and the templates, which the next run makes again (PG-5). Never what carries no mark, nor a control database. */
export async function cleanPostgres(options: OpenOptions): Promise<CleanReport> {
  return withServer(options, async ({ kind, maintenance }) => {
    const client = await maintenance.connect();
    try {
      // Whoever makes or clones a template holds this lock.
      await client.query('select pg_catalog.pg_advisory_lock($1)', [CLONE_LOCK]);
      const found = await findLeftovers(client, kind);
      const dead = [...found.dead, ...(await findTemplates(client))];
      return { removed: await dropLeftovers(client, { ...found, dead }), kept: found.kept };
    } finally {
      // The lock goes with its session.
      client.release(true);
    }
  });
}

async function withServer<T>(options: OpenOptions, work: (server: OpenedServer) => Promise<T>): Promise<T> {
  const server = await reachServer(options);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}
