import type { Clock } from '../core/clock.js';
import type { ErrorKind } from '../core/errors.js';
import { terminalJson } from '../core/terminal-text.js';
import type { Environment } from '../matrix/environment.js';

/** What a verb has of the world: handed in, so that tests drive it. */
export interface CliIo {
  /** Results, and nothing else (CL-4). */
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Everything else. */
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly environment: Environment;
  readonly clock: Clock;
  readonly workingFolder: string;
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** The kinds of what went wrong without an exception; the exit code is made from them. */
  fail(kinds: readonly ErrorKind[]): void;
  /** The command that continues what was begun, told when the program ends, however it ends (CL-3); null where there is nothing to continue. */
  continueWith(command: string | null): void;
}

/** One JSON document on standard output (CL-4). */
export function printJson(io: CliIo, value: unknown): void {
  io.stdout.write(`${terminalJson(value)}\n`);
}

/** A line of a result. */
export function print(io: CliIo, text: string): void {
  io.stdout.write(`${text}\n`);
}

/** A line for people, beside the result. */
export function say(io: CliIo, text: string): void {
  io.stderr.write(`${text}\n`);
}
