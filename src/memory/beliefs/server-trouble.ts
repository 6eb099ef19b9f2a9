// Connection lost, resources gone, shut down, system error: not what was asked, but the server.
const SERVER_TROUBLE = /^(08|53|57|58)/;

/** The SQLSTATE with which a sound server refused a statement; null where the server itself is lost or in trouble. */
export function refusalState(cause: unknown): string | null {
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !SERVER_TROUBLE.test(code) ? code : null;
}
