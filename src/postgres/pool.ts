import type { Socket } from 'node:net';
import pg from 'pg';
import { isUnanswered, nameLostServer } from './lost-server.js';

/** How to reach a server and log in. */
export interface ServerAddress {
  readonly config: Readonly<pg.ClientConfig>;
  /** For messages; never with a password. */
  readonly shown: string;
}

/** Statements that run longer than this are given up: nothing here should take minutes. */
const STATEMENT_TIMEOUT_MS = 300_000;
const CONNECT_TIMEOUT_MS = 15_000;
/** The server gives a statement up by itself; one that answers later than this stands still, or its machine does. */
const ANSWER_WITHIN_MS = STATEMENT_TIMEOUT_MS + 30_000;
/** The same of databases of money, whose statements take milliseconds and wait for locks for ten seconds at most. */
export const LEDGER_ANSWER_WITHIN_MS = 20_000;
/** How long a server may take to close a connection that is ended. */
const CLOSE_WITHIN_MS = 3_000;

// Fixed for every session, on any server, so that no setting of the server, the database or the role changes a result (PG-1).
const SESSION = {
  TimeZone: 'UTC',
  DateStyle: 'ISO,YMD',
  IntervalStyle: 'postgres',
  search_path: '',
  default_text_search_config: 'pg_catalog.english',
  extra_float_digits: '1',
  row_security: 'on',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  // Who waits for a lock must see what was committed before it had it: under another isolation two would pass one check.
  default_transaction_isolation: 'read committed',
} as const;

const SESSION_OPTIONS = Object.entries(SESSION)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

type Callback = (error: unknown, ...rest: unknown[]) => void;
type WatchedConfig = pg.PoolConfig & { readonly server?: string };

/** A client whose errors name a lost server, and whose broken idle connection never ends the process. */
class WatchedClient extends pg.Client {
  readonly #server: string;
  readonly #closeWithinMs: number;

  constructor(config?: WatchedConfig) {
    super(config);
    this.#server = config?.server ?? 'the Postgres server';
    this.#closeWithinMs = Math.min(CLOSE_WITHIN_MS, config?.query_timeout ?? CLOSE_WITHIN_MS);
    // Without a listener, a connection that breaks between two statements would end the process; the next statement reports it.
    this.on('error', () => {});
  }

  // `never` fits each of the base's overloads; what comes back is what they promise.
  override query(...args: unknown[]): never {
    return queryNaming(this, super.query, args, this.#server, (error) => {
      // Nothing more is asked on a connection whose server stands still: it would wait behind what was not answered.
      if (isUnanswered(error)) this.#cut();
    });
  }

  override end(...args: unknown[]): never {
    const late = setTimeout(() => this.#cut(), this.#closeWithinMs);
    this.once('end', () => clearTimeout(late));
    return (super.end as (...args: unknown[]) => unknown).apply(this, args) as never;
  }

  #cut(): void {
    (this as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
  }
}

/** A pool of such clients. */
class WatchedPool extends pg.Pool {
  readonly #server: string;

  constructor(config: WatchedConfig & { readonly server: string }) {
    super(config);
    this.#server = config.server;
    this.on('error', () => {});
  }

  // The pool itself listens while a statement of its own runs, and hears of a broken connection before the client has named it.
  override query(...args: unknown[]): never {
    return queryNaming(this, super.query, args, this.#server);
  }

  override connect(...args: unknown[]): never {
    const run = super.connect as (...args: unknown[]) => unknown;
    const [callback] = args;
    if (typeof callback === 'function') return run.call(this, naming(callback as Callback, this.#server)) as never;
    return (run.call(this) as Promise<unknown>).catch((error) => rethrow(error, this.#server)) as never;
  }
}

function queryNaming(
  self: pg.Client | pg.Pool,
  query: unknown,
  args: unknown[],
  server: string,
  onError: (error: unknown) => void = () => {},
): never {
  const last = args.at(-1);
  if (typeof last === 'function') args[args.length - 1] = naming(last as Callback, server, onError);
  const result = (query as (...args: unknown[]) => unknown).apply(self, args);
  return (
    result instanceof Promise
      ? result.catch((error) => {
          onError(error);
          return rethrow(error, server);
        })
      : result
  ) as never;
}

function naming(callback: Callback, server: string, onError: (error: unknown) => void = () => {}): Callback {
  return (error, ...rest) => {
    if (error) onError(error);
    callback(error ? nameLostServer(error, server) : error, ...rest);
  };
}

function rethrow(error: unknown, server: string): never {
  throw nameLostServer(error, server);
}

/** What a pool of a database is made with. */
export interface PoolOptions {
  readonly database: string;
  readonly maxConnections: number;
  /** Logs in as somebody else than the address says. */
  readonly login?: { readonly user: string; readonly password: string };
  /** A commit returns when it is on the disk, whatever the server, the database or the role says: for money. */
  readonly isDurable?: boolean;
  /** How long a statement may go unanswered before its server is taken for lost. */
  readonly answerWithinMs?: number;
  /** Shown in the server's list of sessions. */
  readonly applicationName: string;
}

/** A pool of connections with fixed session settings. A lost server is an error of kind `database` at the next use, and so is one that does not answer (PG-3). */
export function openPool(address: ServerAddress, options: PoolOptions): pg.Pool {
  const { options: given } = address.config as { options?: string };
  const fixed = options.isDurable ? `${SESSION_OPTIONS} -c synchronous_commit=on` : SESSION_OPTIONS;
  return new WatchedPool({
    ...address.config,
    ...options.login,
    database: options.database,
    max: options.maxConnections,
    application_name: options.applicationName,
    options: given === undefined ? fixed : `${given} ${fixed}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    keepAlive: true,
    Client: WatchedClient,
    server: address.shown,
  } as WatchedConfig & { server: string });
}

/** Ends a pool. One whose connection somebody still holds would wait for ever: it ends when its database is dropped. */
export async function closePool(pool: pg.Pool): Promise<void> {
  if (pool.ending) return;
  const held = pool.totalCount > pool.idleCount;
  const ending = pool.end();
  if (!held) await ending;
}
