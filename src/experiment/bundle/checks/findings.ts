import { InvalidInputErrors, messageOf, RecallMatrixError } from '../../../core/errors.js';
import type { BundleCheck, BundleGap } from '../../bundle-document.js';
import { bundleRefused } from '../bundle-refusals.js';

/** As many as a reader takes in. */
const MOST_FAULTS = 20;

/** What the checks of a bundle found: what was looked at, what could not be, and what is wrong. */
export class Findings {
  readonly #checked = new Map<string, number>();
  readonly #notChecked = new Map<string, BundleGap>();
  readonly #faults: RecallMatrixError[] = [];
  #all = 0;

  get checked(): BundleCheck[] {
    return [...this.#checked].map(([what, count]) => ({ what, count }));
  }

  get notChecked(): BundleGap[] {
    return [...this.#notChecked.values()];
  }

  /** One thing, or some, of a kind was looked at; found right or wrong. */
  looked(what: string, count = 1): void {
    this.#checked.set(what, (this.#checked.get(what) ?? 0) + count);
  }

  skipped(what: string, why: string): void {
    this.#notChecked.set(`${what}\0${why}`, { what, why });
  }

  fault(file: string, what: string): void {
    this.#all += 1;
    if (this.#faults.length < MOST_FAULTS)
      this.#faults.push(bundleRefused('CONTENT_DIFFERS', `${file}: ${what}`, file));
  }

  /** Two values that are to be one. */
  same(file: string, what: string, found: unknown, expected: unknown): void {
    if (found !== expected)
      this.fault(file, `${what} is ${String(found)}, and ${String(expected)} is what the bundle rests on`);
  }

  /** What a reader of a file refuses is a fault of that file. @returns null where it was refused. */
  async reading<T>(file: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RecallMatrixError) || error.kind === 'internal') throw error;
      this.fault(file, `${error.code}: ${messageOf(error)}`);
      return null;
    }
  }

  /** @throws {InvalidInputErrors} the first faults, each with its file, where there are any. */
  throwIfAny(): void {
    if (this.#all === 0) return;
    const more = this.#all - this.#faults.length;
    const rest = more > 0 ? [bundleRefused('CONTENT_DIFFERS', `${more} more differences`)] : [];
    throw new InvalidInputErrors([...this.#faults, ...rest]);
  }
}
