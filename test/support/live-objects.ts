import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Counts how many of the objects that it was shown are still held by anybody. */
export class LiveObjects {
  readonly #shown: WeakRef<object>[] = [];
  /** The most that were held whenever `count` was asked. */
  most = 0;

  show(object: object): void {
    this.#shown.push(new WeakRef(object));
  }

  async count(): Promise<number> {
    // A weak reference holds its object until the turn in which it was made or looked at ends.
    await nextTurn();
    collectGarbage();
    const live = this.#shown.filter((reference) => reference.deref() !== undefined).length;
    this.most = Math.max(this.most, live);
    return live;
  }

  get shown(): number {
    return this.#shown.length;
  }
}
