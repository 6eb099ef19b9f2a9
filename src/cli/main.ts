#!/usr/bin/env node
import { CommanderError } from 'commander';
import { systemClock } from '../core/clock.js';
import { type ErrorKind, EXIT_CODES, firstKind, interrupted, invalidInput, kindOf } from '../core/errors.js';
import type { CliIo } from './io.js';
import { createProgram } from './program.js';
import { errorDocument, showError } from './show-error.js';

const failures: ErrorKind[] = [];
const stop = new AbortController();
let interrupts = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    interrupts += 1;
    if (interrupts > 1) process.exit(EXIT_CODES.interrupted);
    process.stderr.write('\nstopping: calls in flight are finished and settled; once more stops at once\n');
    stop.abort(interrupted('the user interrupted'));
  });
}
// A reader that went away (`| head`) ends the program quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCode());
  throw error;
});

const io: CliIo = {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  clock: systemClock,
  workingFolder: process.cwd(),
  signal: stop.signal,
  fail: (kinds) => failures.push(...kinds),
};

try {
  await createProgram(io).parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    // Help and version are no errors; commander has printed the rest itself.
    if (error.exitCode !== 0) {
      failures.push('invalid-input');
      if (asksForJson()) printErrorDocument(invalidInput('USAGE', error.message.replace(/^error: /, '')));
    }
  } else {
    failures.push(kindOf(error));
    if (asksForJson()) printErrorDocument(error);
    process.stderr.write(`${showError(error, io.workingFolder)}\n`);
  }
}
process.exitCode = exitCode();

function exitCode(): number {
  const worst = firstKind(failures);
  return worst === null ? 0 : EXIT_CODES[worst];
}

function asksForJson(): boolean {
  return process.argv.includes('--json');
}

function printErrorDocument(error: unknown): void {
  process.stdout.write(`${JSON.stringify(errorDocument(error), null, 2)}\n`);
}
