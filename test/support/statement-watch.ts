import pg from 'pg';
import { onTestFinished } from 'vitest';

/** What this process says to its databases. */
export interface StatementWatch {
  /** Every statement so far, with the database that it was sent to. */
  readonly statements: readonly { readonly database: string; readonly text: string }[];
  /** The databases in which a transaction is open now: begun, and its end not yet answered. */
  open(): string[];
}

type Query = (this: pg.Client, config: unknown, ...more: unknown[]) => unknown;

/** Watches every statement of every client of this process until the test ends. */
export function watchStatements(): StatementWatch {
  const statements: { database: string; text: string }[] = [];
  const open = new Map<pg.Client, string>();
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (config, ...more) {
    const text = typeof config === 'string' ? config : String((config as { readonly text?: unknown }).text);
    const database = this.database ?? '';
    statements.push({ database, text });
    if (/^\s*(begin|start transaction)\b/i.test(text)) open.set(this, database);
    const answer = original.call(this, config, ...more);
    if (/^\s*(commit|rollback)\b/i.test(text) && answer instanceof Promise) {
      const end = (): void => void open.delete(this);
      answer.then(end, end);
    }
    return answer;
  };
  onTestFinished(() => {
    prototype.query = original;
  });
  return { statements, open: () => [...open.values()] };
}
