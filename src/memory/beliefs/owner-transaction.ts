import pg from 'pg';
import { databaseUnavailable, internalFault, messageOf, RecallMatrixError } from '../../core/errors.js';
import { type Owner, SENSITIVITIES, type Sensitivity } from '../../fixture/history.js';
import { refusalState } from './server-trouble.js';

/** Runs one statement within the transaction; rows by column name. Values are parameters, never text of the statement. */
export type Query = <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** The sensitivity as the database stores it: 0 for public to 3 for restricted. */
export function sensitivityRank(sensitivity: Sensitivity): number {
  return SENSITIVITIES.indexOf(sensitivity);
}

/** Begins and names the owner in one round trip. Two statements in one message take no parameters, so the values are escaped. */
function beginAs(owner: Owner, readCeiling: Sensitivity): string {
  const settings = {
    tenant: owner.tenant,
    principal: owner.principal,
    read_ceiling: String(sensitivityRank(readCeiling)),
  };
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('recall.${name}', ${pg.escapeLiteral(value)}, true)`,
  );
  return `begin; select ${calls.join(', ')}`;
}

/**
 * One transaction in which row security shows an owner's rows, up to a sensitivity, and no others (PG-4).
 *
 * @throws kind `database`, `DATABASE_LOST`, with the server's own words; internal fault `BELIEF_STORE_REFUSED` where the server refuses a statement.
 */
export async function inOwnerTransaction<Result>(
  pool: pg.Pool,
  owner: Owner,
  readCeiling: Sensitivity,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool);
  const query: Query = async (text, values = []) => {
    try {
      return (await client.query(text, [...values])).rows;
    } catch (cause) {
      throw storeError(cause);
    }
  };
  let broken: Error | undefined;
  try {
    await query(beginAs(owner, readCeiling));
    const result = await work(query);
    await query('commit');
    return result;
  } catch (error) {
    // A connection that cannot roll back is not given to anyone else; the first error is the one that tells.
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (cause) {
    throw storeError(cause);
  }
}

function storeError(cause: unknown): Error {
  if (cause instanceof RecallMatrixError) return cause;
  const state = refusalState(cause);
  if (state !== null) {
    return internalFault('BELIEF_STORE_REFUSED', `Postgres refused a statement (${state}): ${messageOf(cause)}`, {
      cause,
    });
  }
  return databaseUnavailable('DATABASE_LOST', `Postgres was lost: ${messageOf(cause)}`, {
    remedy: 'start the server again, or look at its log, and resume the run',
    cause,
  });
}
