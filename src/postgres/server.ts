import pg from 'pg';
import type { Clock } from '../core/clock.js';
import { databaseUnavailable, internalFault, messageOf, RecallMatrixError } from '../core/errors.js';
import { openControlAsRuntime, openControlDatabase } from './control-database.js';
import type { Invocation } from './invocation.js';
import { dropMarkedDatabase, dropMarkedRole, NAME_PREFIX } from './mark.js';
import { closePool, openPool, type ServerAddress } from './pool.js';
import type { Migration, PostgresServer, ScratchDatabase } from './postgres.js';
import { checkRuntimeSession, createRuntimeRole, type RuntimeLogin } from './runtime-role.js';
import { Scratch } from './scratch.js';
import { type ServerFacts, showVersion } from './server-checks.js';
import { createDatabase, ensureTemplate, templateName } from './template.js';

// Any fixed number that is this tool's own. Advisory locks hold within one database: invocations that log in to different ones are kept
// apart by the retry alone.
export const CLONE_LOCK = 7_264_119_402;
const OBJECT_IN_USE = '55006';
// The server itself waits five seconds for others to leave before it says so.
const CLONE_ATTEMPTS = 5;
const RETRY_MS = 50;
const RUNTIME_CONNECTIONS = 4;
const ADMIN_CONNECTIONS = 2;

/** What a server is made of. */
export interface ServerParts {
  readonly kind: 'embedded' | 'existing';
  readonly address: ServerAddress;
  readonly facts: ServerFacts;
  /** To the database that the address names: for making and dropping others. */
  readonly maintenance: pg.Pool;
  readonly invocation: Invocation;
  /** Holds the lock that says that the invocation lives. */
  readonly living: pg.PoolClient;
  readonly clock: Clock;
  /** Leaves templates for others at close, where the server outlives this invocation. */
  readonly keepTemplates: boolean;
  /** The server goes as a whole when it is closed: nothing on it needs dropping. */
  readonly isDisposable: boolean;
  /** What the user should know of this server. */
  readonly notes: readonly string[];
  /** What ended a local server, where it is no longer running. */
  readonly ended: () => string | null;
  /** Forces a local cluster's files to the disk; null for servers that see to it themselves. */
  readonly syncFiles: (() => Promise<void>) | null;
  /** Stops what was started for it. */
  readonly stop: () => Promise<void>;
}

/** A server with its template and scratch databases and its runtime role. */
export class Server implements PostgresServer {
  readonly kind: 'embedded' | 'existing';
  readonly version: string;
  readonly notes: readonly string[];
  readonly #parts: ServerParts;
  readonly #held = new Set<ScratchDatabase>();
  readonly #templatesMade = new Set<string>();
  #login: Promise<RuntimeLogin> | null = null;
  #control: Promise<pg.Pool> | null = null;
  #controlRuntime: Promise<pg.Pool> | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #drops: Promise<unknown> = Promise.resolve();
  #count = 0;
  #closing: Promise<void> | null = null;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.kind = parts.kind;
    this.notes = parts.notes;
    this.version = showVersion(parts.facts.versionNumber);
  }

  createScratch(migrations: readonly Migration[]): Promise<ScratchDatabase> {
    if (this.#closing !== null) return Promise.reject(internalFault('POSTGRES_CLOSED', 'the server is closed'));
    const made = this.#queue.then(() => this.#createScratch(migrations));
    this.#queue = made.catch(() => {});
    return made;
  }

  async #createScratch(migrations: readonly Migration[]): Promise<ScratchDatabase> {
    const { address, maintenance, invocation } = this.#parts;
    try {
      const login = await this.#runtimeLogin();
      this.#count += 1;
      const name = `${NAME_PREFIX}${invocation.id}_${this.#count}`;
      await this.#clone(name, migrations, login);
      const scratch = new Scratch(name, maintenance, {
        admin: openPool(address, {
          database: name,
          maxConnections: ADMIN_CONNECTIONS,
          applicationName: `${name} admin`,
        }),
        runtime: openPool(address, {
          database: name,
          maxConnections: RUNTIME_CONNECTIONS,
          login,
          applicationName: `${name} runtime`,
        }),
        onDrop: () => this.#held.delete(scratch),
      });
      this.#held.add(scratch);
      await this.#checkOrDrop(scratch, login);
      return scratch;
    } catch (error) {
      throw asDatabaseError(error, `cannot make a scratch database on ${address.shown}`);
    }
  }

  async #checkOrDrop(scratch: ScratchDatabase, login: RuntimeLogin): Promise<void> {
    try {
      await checkRuntimeSession(scratch.runtime, login);
    } catch (error) {
      await scratch.drop();
      throw error;
    }
  }

  #runtimeLogin(): Promise<RuntimeLogin> {
    const { maintenance, facts, invocation } = this.#parts;
    this.#login ??= createRuntimeRole(maintenance, facts, invocation);
    return this.#login;
  }

  async #clone(name: string, migrations: readonly Migration[], login: RuntimeLogin): Promise<void> {
    const { address, facts, invocation } = this.#parts;
    const template = templateName(migrations, facts.user);
    await this.#withCloneLock(async (client) => {
      if (await ensureTemplate(client, address, template, migrations, invocation)) this.#templatesMade.add(template);
      const strategy = this.kind === 'embedded' ? 'file_copy' : 'wal_log';
      await this.#retryWhileInUse(() => createDatabase(client, name, template, invocation, 'scratch', strategy));
      await client.query(
        `grant connect on database ${pg.escapeIdentifier(name)} to ${pg.escapeIdentifier(login.user)}`,
      );
    });
  }

  async #withCloneLock<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#parts.maintenance.connect();
    try {
      await client.query('select pg_catalog.pg_advisory_lock($1)', [CLONE_LOCK]);
      const result = await work(client);
      await client.query('select pg_catalog.pg_advisory_unlock($1)', [CLONE_LOCK]);
      client.release();
      return result;
    } catch (error) {
      // The lock goes with its session.
      client.release(true);
      throw error;
    }
  }

  async #retryWhileInUse(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await work();
        return;
      } catch (error) {
        if ((error as { code?: unknown }).code !== OBJECT_IN_USE || attempt === CLONE_ATTEMPTS) throw error;
        await this.#parts.clock.sleep(RETRY_MS);
      }
    }
  }

  openControl(): Promise<pg.Pool> {
    const { address, invocation, isDisposable, syncFiles } = this.#parts;
    if (isDisposable) {
      throw databaseUnavailable(
        'POSTGRES_NO_CONTROL_DATABASE',
        'this run has a database server of its own, which goes with it: it cannot keep a ledger',
        {
          remedy:
            'see the note on the kept cluster (`recall-matrix doctor`), name a server for the ledger, or keep it in the run folder',
        },
      );
    }
    this.#control ??= this.#withCloneLock((client) => openControlDatabase(client, address, { invocation, syncFiles }));
    return this.#control;
  }

  openControlRuntime(): Promise<pg.Pool> {
    this.#controlRuntime ??= this.#openControlRuntime();
    return this.#controlRuntime;
  }

  async #openControlRuntime(): Promise<pg.Pool> {
    await this.openControl();
    const { maintenance, address } = this.#parts;
    return openControlAsRuntime(maintenance, address, await this.#runtimeLogin());
  }

  dropLater(scratch: ScratchDatabase): void {
    // What fails stays held, and is met at `close`; so is what that overtakes.
    this.#drops = this.#drops.then(() => (this.#closing === null ? scratch.drop() : null)).catch(() => {});
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { maintenance, living, isDisposable, ended, stop } = this.#parts;
    try {
      await Promise.all([this.#queue, this.#drops]);
      for (const control of [this.#controlRuntime, this.#control]) await control?.then(closePool, () => {});
      if (isDisposable || ended() !== null) await this.#abandon();
      else await this.#dropEverything();
    } finally {
      living.release(true);
      await closePool(maintenance);
      await stop();
    }
  }

  /** Nothing needs dropping where the server goes as a whole, and a lost local server is no fault at the end. */
  async #abandon(): Promise<void> {
    for (const { runtime, admin } of this.#held) await Promise.all([closePool(runtime), closePool(admin)]);
  }

  /** Goes on past a failure, so that one database that cannot be dropped leaves no others behind; the first failure is thrown. */
  async #dropEverything(): Promise<void> {
    const { maintenance, keepTemplates } = this.#parts;
    const failures: unknown[] = [];
    const attempt = (work: () => Promise<unknown>): Promise<unknown> => work().catch((error) => failures.push(error));
    for (const scratch of [...this.#held]) await attempt(() => scratch.drop());
    const login = this.#login;
    if (login !== null) await attempt(async () => dropMarkedRole(maintenance, (await login).user));
    if (!keepTemplates && this.#templatesMade.size > 0) await attempt(() => this.#dropTemplates());
    if (failures.length > 0) throw asDatabaseError(failures[0], `cannot clean up on ${this.#parts.address.shown}`);
  }

  #dropTemplates(): Promise<void> {
    return this.#withCloneLock(async (client) => {
      for (const template of this.#templatesMade) await dropMarkedDatabase(client, template);
    });
  }
}

function asDatabaseError(error: unknown, what: string): unknown {
  if (error instanceof RecallMatrixError) return error;
  return databaseUnavailable('POSTGRES_FAILED', `${what}: ${messageOf(error)}`, {
    remedy: 'see the server’s log; the disk or the rights of the login may be at fault',
    cause: error,
  });
}
