import { fileURLToPath, pathToFileURL } from 'node:url';
import { deserialize } from 'node:v8';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import type { ModuleExports } from './module.js';

/** What a thread says. */
type Said =
  | { readonly kind: 'loaded'; readonly exports: ModuleExports }
  | { readonly kind: 'not-loaded'; readonly message: string }
  | { readonly kind: 'returned'; readonly bytes: Uint8Array }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'unsound'; readonly message: string };

/** How waiting for a thread ended: with what it said, or without. */
export type Heard = Said | { readonly kind: 'died'; readonly message: string } | { readonly kind: 'timed-out' };

const MOST_MEMORY_MB = 512;

/** One thread that runs one module. It is asked one thing at a time; after `died` or `timed-out` it is over. */
export class ModuleThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  #hear: ((heard: Heard) => void) | null = null;
  #early: Heard | null = null;
  #isLoaded = false;

  /** @param file absolute. */
  constructor(
    file: string,
    private readonly clock: Clock,
  ) {
    // No variable of ours, so that no key reaches it by accident; its streams are its own, so that nothing of it stands on standard output (CL-4).
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(fileURLToPath(new URL('./module-worker.cjs', import.meta.url)), {
      workerData: { url: pathToFileURL(file).href, port: port2 },
      transferList: [port2],
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    this.#port.on('message', (said: Said) => this.#heard(said));
    this.#port.on('messageerror', (error) => this.#heard({ kind: 'died', message: messageOf(error) }));
    this.#port.unref();
    this.#worker.on('error', (error) => this.#heard({ kind: 'died', message: messageOf(error) }));
    this.#worker.on('exit', (code) => this.#heard({ kind: 'died', message: `its thread ended with ${code}` }));
    this.#worker.unref();
  }

  /** Waits for the module to be loaded. */
  loaded(timeLimitMs: number): Promise<Heard> {
    return this.#wait(timeLimitMs);
  }

  /** Calls an exported function. */
  call(name: string, args: readonly unknown[], timeLimitMs: number): Promise<Heard> {
    this.#port.postMessage({ name, args });
    return this.#wait(timeLimitMs);
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    await this.#worker.terminate();
    this.#port.close();
  }

  async #wait(timeLimitMs: number): Promise<Heard> {
    const early = this.#early;
    this.#early = null;
    if (early?.kind === 'died' && this.#isLoaded)
      return { kind: 'died', message: `after an earlier call, ${early.message}` };
    if (early !== null) return early;
    const done = new AbortController();
    this.#worker.ref();
    try {
      const heard = new Promise<Heard>((resolve) => {
        this.#hear = resolve;
      });
      const late = this.clock.sleep(timeLimitMs, done.signal).then(
        (): Heard => ({ kind: 'timed-out' }),
        (): Heard => ({ kind: 'timed-out' }),
      );
      return await Promise.race([heard, late]);
    } finally {
      this.#hear = null;
      done.abort();
      this.#worker.unref();
    }
  }

  #heard(heard: Heard): void {
    if (heard.kind === 'loaded') this.#isLoaded = true;
    if (this.#hear === null) this.#early ??= heard;
    else this.#hear(heard);
  }
}

/** What a call returned, read. */
export function returned(bytes: Uint8Array): unknown {
  return deserialize(bytes);
}
