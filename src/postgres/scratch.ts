import type pg from 'pg';
import { dropMarkedDatabase } from './mark.js';
import { closePool } from './pool.js';
import type { ScratchDatabase } from './postgres.js';

/** One scratch database with its two pools. */
export class Scratch implements ScratchDatabase {
  readonly name: string;
  readonly runtime: pg.Pool;
  readonly admin: pg.Pool;
  readonly #maintenance: pg.Pool;
  readonly #onDrop: () => void;
  #dropping: Promise<void> | null = null;

  constructor(
    name: string,
    maintenance: pg.Pool,
    parts: { readonly runtime: pg.Pool; readonly admin: pg.Pool; readonly onDrop: () => void },
  ) {
    this.name = name;
    this.runtime = parts.runtime;
    this.admin = parts.admin;
    this.#maintenance = maintenance;
    this.#onDrop = parts.onDrop;
  }

  drop(): Promise<void> {
    this.#dropping ??= this.#drop();
    return this.#dropping;
  }

  async #drop(): Promise<void> {
    await Promise.all([closePool(this.runtime), closePool(this.admin)]);
    await dropMarkedDatabase(this.#maintenance, this.name);
    this.#onDrop();
  }
}
