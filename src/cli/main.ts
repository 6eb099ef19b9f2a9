#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { CommanderError } from 'commander';
import { systemClock } from '../core/clock.js';
import { armCrashPoint, CRASH_VARIABLE } from '../core/crash-points.js';
import { type ErrorKind, EXIT_CODES, firstKind, interrupted, invalidInput, kindOf } from '../core/errors.js';
import type { CliIo } from './io.js';
import { createProgram } from './program.js';
import { errorDocument, showError } from './show-error.js';

const failures: ErrorKind[] = [];
const stop = new AbortController();
let interrupts = 0;
let continued: string | null = null;
armCrashPoint(process.env[CRASH_VARIABLE]);
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    interrupts += 1;
    if (interrupts > 1) stopAtOnce();
    process.stderr.write('\nstopping: calls in flight are finished and settled; once more stops at once\n');
    stop.abort(interrupted('the user interrupted'));
  });
}
// A file that may not grow further is as a full disk: the write fails and is named, where the signal alone would say nothing (RS-3).
process.on('SIGXFSZ', () => {});
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
  continueWith: (command) => {
    continued = command;
  },
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
if (continued !== null) process.stderr.write(`${continueLine(continued)}\n`);
process.exitCode = exitCode();

function exitCode(): number {
  const worst = firstKind(failures);
  return worst === null ? 0 : EXIT_CODES[worst];
}

/** Calls in flight stay reserved: whoever reads the ledger next counts them as uncertain (CL-3, LG-6). */
function stopAtOnce(): never {
  const error = interrupted('stopped at once: calls in flight count as uncertain, and stay held');
  const lines = [showError(error, io.workingFolder), ...(continued === null ? [] : [continueLine(continued)])];
  if (asksForJson()) writeSync(1, `${JSON.stringify(errorDocument(error, continued), null, 2)}\n`);
  writeSync(2, `${lines.join('\n')}\n`);
  process.exit(EXIT_CODES.interrupted);
}

function continueLine(command: string): string {
  return `to continue: ${command}`;
}

function asksForJson(): boolean {
  return process.argv.includes('--json');
}

function printErrorDocument(error: unknown): void {
  process.stdout.write(`${JSON.stringify(errorDocument(error, continued), null, 2)}\n`);
}
