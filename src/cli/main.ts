#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { systemClock } from '../core/clock.js';
import { armCrashPoint, CRASH_VARIABLE } from '../core/crash-points.js';
import { interrupted } from '../core/errors.js';
import { CommandRun } from './command-run.js';

const stop = new AbortController();
const command = new CommandRun(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  clock: systemClock,
  workingFolder: process.cwd(),
  signal: stop.signal,
});
armCrashPoint(process.env[CRASH_VARIABLE]);
let interrupts = 0;
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
// Nobody may be left to read how a run goes on (`2>&1 | head`, a terminal that was closed): what is paid for goes on all the same.
process.stderr.on('error', () => {});
// A reader that went away (`| head`) ends the program quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(command.exitCode);
  throw error;
});

process.exitCode = await command.run();

function stopAtOnce(): never {
  const { stdout, stderr, exitCode } = command.stoppedAtOnce();
  writeSync(1, stdout);
  writeSync(2, stderr);
  process.exit(exitCode);
}
