import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inject, onTestFinished, vi } from 'vitest';
import type { CommandWorld } from '../../src/cli/command-run.js';
import { systemClock } from '../../src/core/clock.js';
import { CLUSTER_VARIABLE } from '../../src/postgres/embedded/cluster-folder.js';

/** The project's folder, and its built command. */
export const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const COMMAND = join(PROJECT, 'dist', 'cli', 'main.js');

/** A child that has not ended by then is killed, and the test fails: nothing here may hang. */
const KILL_AFTER_MS = 240_000;
/** A test here starts several children, and the machine may be busy. The limit of every test in a file that imports this. */
export const SLOW_TEST_MS = 300_000;
vi.setConfig({ testTimeout: SLOW_TEST_MS, hookTimeout: SLOW_TEST_MS });

/** How the built command is started. */
export interface CliOptions {
  readonly cwd?: string;
  /** Beside what the command is always given of ours. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another user to run it as; only root may say so. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** The server to use: the test run's own where absent; null lets the command start one. */
  readonly database?: string | null;
  /** No file may grow beyond this: for a full disk. */
  readonly largest_file_kib?: number;
}

/** What a command inside this process can be given. */
export type CommandOptions = Pick<CliOptions, 'cwd' | 'env' | 'database'>;

/** How the command ended. */
export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command under way. */
export interface RunningCli {
  readonly child: ChildProcess;
  readonly ended: Promise<CliResult>;
}

/** Starts the built command in a process of its own. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const [program, before] =
    options.largest_file_kib === undefined
      ? [process.execPath, []]
      : ['bash', ['-c', `ulimit -f ${options.largest_file_kib}; exec "$0" "$@"`, process.execPath]];
  const child = spawn(program, [...before, COMMAND, ...args], {
    cwd: options.cwd ?? PROJECT,
    env: environmentOf(options),
    ...options.user,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: KILL_AFTER_MS,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  return { child, ended };
}

/**
 * Runs the built command line to its end, inside this process: what a start costs is paid once a test file. For refusals and documents, of
 * which there are many; what is shown of a process (signals, users, locale, memory) takes `cli`.
 */
export async function command(args: readonly string[], options: CommandOptions = {}): Promise<CliResult> {
  const { CommandRun } = (await import(pathToFileURL(join(PROJECT, 'dist', 'cli', 'command-run.js')).href)) as {
    CommandRun: new (args: readonly string[], world: CommandWorld) => { run(): Promise<number> };
  };
  const stdout = new TextSink();
  const stderr = new TextSink();
  const run = new CommandRun(args, {
    stdout,
    stderr,
    environment: environmentOf(options),
    clock: systemClock,
    workingFolder: options.cwd ?? PROJECT,
    signal: new AbortController().signal,
  });
  const code = await run.run();
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text };
}

class TextSink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** All that a command is given of our environment: PATH, HOME, where temporary files and clusters lie, and the test run's server. */
function environmentOf({ database, env }: CliOptions): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = tmpdir(), [CLUSTER_VARIABLE]: clusters = '' } = process.env;
  const url = database === undefined ? inject('postgresUrl') : database;
  return {
    PATH,
    HOME,
    TMPDIR,
    [CLUSTER_VARIABLE]: clusters,
    ...(url === null ? {} : { RECALL_MATRIX_DATABASE_URL: url }),
    ...env,
  };
}

/** Runs the built command to its end, in a process of its own. */
export async function cli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const result = await startCli(args, options).ended;
  if (result.signal !== null) throw new Error(`${args.join(' ')} was killed (${result.signal}): ${result.stderr}`);
  return result;
}

/** Waits for a command that must end with a given exit code; otherwise all that it said is shown. */
export async function exits(code: number, running: Promise<CliResult>): Promise<CliResult> {
  const result = await running;
  if (result.code === code) return result;
  throw new Error(`expected exit ${code}, found ${result.code}\n${result.stdout}\n${result.stderr}`);
}

/** Standard output as one JSON document. */
export function documentOf(result: CliResult): unknown {
  try {
    return JSON.parse(result.stdout);
  } catch (cause) {
    throw new Error(`no single JSON document (exit ${result.code}): ${result.stdout}\n${result.stderr}`, { cause });
  }
}

/** A server that only counts who comes, and hangs up: to show that nobody did. */
export async function countingServer(): Promise<{ readonly url: string; connections(): number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `postgres://nobody@127.0.0.1:${port}/none`, connections: () => connections };
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
