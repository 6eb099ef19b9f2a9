import { databaseUnavailable, messageOf, RecallMatrixError } from '../core/errors.js';

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EACCES',
]);
// 57P0x: the server shuts down, crashed or cannot take connections; 08: connection exceptions; 53: disk, memory or connections used up.
const SERVER_STATES = /^(57P0[1-4]|08...|53...)$/;
const DRIVER_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired)/;

/** Whether a statement was given up because its server did not answer, neither closing the connection. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether an error of the driver says that the server is gone or cannot go on, rather than that a statement was wrong. */
function isLostServer(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof RecallMatrixError) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || SERVER_STATES.test(code))) return true;
  return isUnanswered(error) || DRIVER_MESSAGES.test(error.message);
}

/** The typed error for a lost server (exit 8); anything else comes back as it is. */
export function nameLostServer(error: unknown, server: string): unknown {
  if (!isLostServer(error)) return error;
  return databaseUnavailable('POSTGRES_LOST', `the connection to ${server} was lost: ${messageOf(error)}`, {
    remedy: 'see why the server stopped (disk, memory), then run the command again: what was recorded is kept',
    cause: error,
  });
}
