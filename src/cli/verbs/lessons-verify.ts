import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { internalFault } from '../../core/errors.js';
import type { Verification } from '../../lessons/bootstrap/verification.js';
import { type CliIo, print, printJson, say } from '../io.js';

const PROGRAM = fileURLToPath(new URL('../main.js', import.meta.url));
const TIMEOUT_MS = 120_000;

/** What a process that runs the fixture is given: as little of ours as can be, and nothing that the other one is given. */
const PROCESSES = [
  { cwd: tmpdir(), env: { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' } },
  { cwd: parse(PROGRAM).root, env: { TZ: 'America/Los_Angeles', LANG: 'C', LC_ALL: 'C' } },
] as const;

const PAPER = `The paper's own hashes (output sha256:de54f8842b75bd1de711bbf0d309fff83b53010203ecf5b6945033b869565713,
projection sha256:0e3e7e4ef2ae40c0b6e68673774afe7cc2d8b74a122fb38438d7ddf8371b2b07) belong to another runner and are not reproduced.
The thresholds are not calibrated: nobody has measured how often they are right.`;

/** `lessons verify`: the bootstrap fixture in two processes (LE-7). */
export function lessonsVerifyVerb(io: CliIo): Command {
  return new Command('verify')
    .description(
      'Run the built-in bootstrap fixture in two separate processes, and compare: exit 3 where anything differs.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ recall-matrix lessons verify')
    .action(async (flags: { json?: boolean }) => {
      const { compareOutputs } = await import('../../lessons/bootstrap/verification.js');
      const [first, second] = PROCESSES;
      const { verification, differences } = compareOutputs([
        await bootstrapIn(first, io.signal),
        await bootstrapIn(second, io.signal),
      ]);
      if (differences.length > 0) io.fail(['difference']);
      if (flags.json) printJson(io, verification);
      else print(io, showVerification(verification));
      for (const difference of differences) say(io, difference);
    });
}

function showVerification({ assertions, all_assertions_pass, stdout_sha256, projection_sha256 }: Verification): string {
  return [
    all_assertions_pass ? `${assertions} of ${assertions} assertions pass` : `not all of ${assertions} assertions pass`,
    `output of one process   ${stdout_sha256[0]}`,
    `output of another one   ${stdout_sha256[1]}`,
    `retained projection     ${projection_sha256}`,
    PAPER,
  ].join('\n');
}

/** `lessons bootstrap`: the fixture once, in this process. */
export function lessonsBootstrapVerb(io: CliIo): Command {
  return new Command('bootstrap')
    .description(
      'Run the bootstrap fixture once, and print its findings as canonical JSON lines: what verify compares.',
    )
    .addHelpText('after', '\nExample:\n  $ recall-matrix lessons bootstrap | sha256sum')
    .action(async () => {
      const { bootstrapRun } = await import('../../lessons/bootstrap/verification.js');
      const { output, passes } = bootstrapRun();
      if (!passes) io.fail(['difference']);
      io.stdout.write(output);
    });
}

/** What a process of its own prints of the fixture. */
function bootstrapIn(place: (typeof PROCESSES)[number], signal: AbortSignal): Promise<string> {
  const options = { ...place, signal, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', encoding: 'utf8' } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [PROGRAM, 'lessons', 'bootstrap'], options, (error, stdout, stderr) => {
      // 3 is what it ends with where an assertion fails, which its output tells.
      if (error === null || child.exitCode === 3) resolve(stdout);
      else if (signal.aborted) reject(signal.reason);
      else
        reject(
          internalFault(
            'LESSONS_BOOTSTRAP_BROKEN',
            `a process that was to run the bootstrap fixture failed: ${stderr || error.message}`,
          ),
        );
    });
  });
}
