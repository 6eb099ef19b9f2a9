import { CommanderError } from 'commander';
import {
  type ErrorKind,
  EXIT_CODES,
  firstKind,
  interrupted,
  invalidInput,
  kindOf,
  type RecallMatrixError,
} from '../core/errors.js';
import { terminalJson } from '../core/terminal-text.js';
import type { CliIo } from './io.js';
import { createProgram } from './program.js';
import { errorDocument, showError } from './show-error.js';

/** What a command is given of the world. */
export type CommandWorld = Omit<CliIo, 'fail' | 'continueWith'>;

/** One command line from its arguments to its exit code (CL-2): nothing here asks for the process that it runs in. */
export class CommandRun {
  readonly #failures: ErrorKind[] = [];
  #continued: string | null = null;

  /** @param args without the program's own name. */
  constructor(
    private readonly args: readonly string[],
    private readonly world: CommandWorld,
  ) {}

  /** @returns the exit code. */
  async run(): Promise<number> {
    const { world } = this;
    const io: CliIo = {
      ...world,
      fail: (kinds) => this.#failures.push(...kinds),
      continueWith: (command) => {
        this.#continued = command;
      },
    };
    try {
      await createProgram(io).parseAsync(this.args, { from: 'user' });
    } catch (error) {
      this.#fail(error);
    }
    if (this.#continued !== null) world.stderr.write(`${continueLine(this.#continued)}\n`);
    return this.exitCode;
  }

  /** Of what went wrong until now. */
  get exitCode(): number {
    const worst = firstKind(this.#failures);
    return worst === null ? 0 : EXIT_CODES[worst];
  }

  /** What is printed where everything stops at once (CL-3): calls in flight stay reserved, and whoever reads the ledger next counts them as uncertain (LG-6). */
  stoppedAtOnce(): { readonly stdout: string; readonly stderr: string; readonly exitCode: number } {
    const error = interrupted('stopped at once: calls in flight count as uncertain, and stay held');
    const lines = [
      showError(error, this.world.workingFolder),
      ...(this.#continued === null ? [] : [continueLine(this.#continued)]),
    ];
    return {
      stdout: this.#asksForJson ? this.#document(error) : '',
      stderr: `${lines.join('\n')}\n`,
      exitCode: EXIT_CODES.interrupted,
    };
  }

  #fail(error: unknown): void {
    const { stdout, stderr, workingFolder } = this.world;
    if (error instanceof CommanderError) {
      // Help and version are no errors; commander has printed the rest itself.
      if (error.exitCode === 0) return;
      this.#failures.push('invalid-input');
      if (this.#asksForJson) stdout.write(this.#document(usageFault(error)));
      return;
    }
    this.#failures.push(kindOf(error));
    if (this.#asksForJson) stdout.write(this.#document(error));
    stderr.write(`${showError(error, workingFolder)}\n`);
  }

  get #asksForJson(): boolean {
    return this.args.includes('--json');
  }

  #document(error: unknown): string {
    return `${terminalJson(errorDocument(error, this.#continued))}\n`;
  }
}

function continueLine(command: string): string {
  return `to continue: ${command}`;
}

function usageFault({ message }: CommanderError): RecallMatrixError {
  return invalidInput('USAGE', message.replace(/^error: /, ''), { remedy: 'see `recall-matrix --help`' });
}
