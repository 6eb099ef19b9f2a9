#!/usr/bin/env node
import { CommanderError } from 'commander';
import { systemClock } from '../core/clock.js';
import { type ErrorKind, EXIT_CODES, firstKind, interrupted, kindOf } from '../core/errors.js';
import type { CliIo } from './io.js';
import { createProgram } from './program.js';
import { errorDocument, showError } from './show-error.js';

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
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const failures: ErrorKind[] = [];
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
    if (error.exitCode !== 0) failures.push('invalid-input');
  } else {
    failures.push(kindOf(error));
    if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(errorDocument(error), null, 2)}\n`);
    process.stderr.write(`${showError(error, io.workingFolder)}\n`);
  }
}
const worst = firstKind(failures);
process.exitCode = worst === null ? 0 : EXIT_CODES[worst];
