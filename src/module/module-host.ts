import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import { type CallableModule, moduleFailure, type UserModule } from './module.js';
import { moduleDigest } from './module-files.js';
import { type Heard, ModuleThread, returned } from './module-thread.js';

/**
 * Runs a user's module in a thread of its own, which is started when it is first called, ended where it exceeds its time, and started anew for
 * the next call (RT-6). One call at a time, in the order asked.
 */
export class ModuleHost implements CallableModule {
  #thread: ModuleThread | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** @param timeLimitMs of loading, and of each call. */
  constructor(
    readonly module: UserModule,
    private readonly timeLimitMs: number,
    private readonly clock: Clock,
  ) {}

  call(name: string, args: readonly unknown[], what: string): Promise<unknown> {
    const called = this.#last.then(() => this.#call(name, args, what));
    this.#last = called.catch(() => {});
    return called;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end();
  }

  async #call(name: string, args: readonly unknown[], what: string): Promise<unknown> {
    const thread = this.#thread ?? (await this.#start(what));
    const heard = await thread.call(name, args, this.timeLimitMs);
    if (heard.kind === 'returned') return returned(heard.bytes);
    throw await this.#failed(heard, what);
  }

  /** A module that was edited during a run is not the one that the matrix binds. */
  async #start(what: string): Promise<ModuleThread> {
    const { module } = this;
    const found = await moduleDigest(module.file).catch((error: unknown) => {
      throw moduleFailure('CHANGED', module, what, messageOf(error));
    });
    if (found !== module.digest)
      throw moduleFailure('CHANGED', module, what, 'its files are not those that the matrix was loaded with');
    this.#thread = new ModuleThread(module.file, this.clock);
    const heard = await this.#thread.loaded(this.timeLimitMs);
    if (heard.kind === 'loaded') return this.#thread;
    throw await this.#failed(heard, what);
  }

  async #failed(heard: Heard, what: string): Promise<Error> {
    const { module } = this;
    // A module that threw, or returned what cannot be taken, is still there.
    if (heard.kind === 'threw') return moduleFailure('THREW', module, what, `it threw ${heard.message}`);
    if (heard.kind === 'unsound') return moduleFailure('UNSOUND', module, what, heard.message);
    await this.close();
    if (heard.kind === 'timed-out')
      return moduleFailure('TIMED_OUT', module, what, `no answer within ${this.timeLimitMs} ms; it was ended`);
    return moduleFailure('DIED', module, what, 'message' in heard ? heard.message : heard.kind);
  }
}
