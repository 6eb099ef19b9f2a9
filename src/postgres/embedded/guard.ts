import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { guardAddress, MARKER } from './run-folder.js';

/**
 * A small process between us and the server. It alone is the server's parent, and it stops the server and removes the run folder when its
 * standard input ends: on our `close`, and just the same when this process is killed. The guard of a kept cluster serves several
 * processes, each by a connection (guard-user.ts): it stops the server when its input and the last connection have ended.
 */
export interface Guard {
  /** Starts the server. */
  start(command: ServerCommand): void;
  /** What ended the server or its guard, once one has ended; null while both live. */
  readonly ended: string | null;
  /** Stops the server, waits for its end, and for the run folder to be gone. */
  stop(): Promise<void>;
  /** Leaves the guard to those who have joined it. */
  handOver(): void;
}

/** How the server is run. */
export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Takes its output. */
  readonly log: string;
  readonly uid?: number;
  readonly gid?: number;
}

// A text and not a file: it runs before anything is built, and in a folder that only its owner may enter. It has a session of its own, so
// that a Ctrl-C at the terminal reaches the server through us alone, in order. SIGQUIT where all that it holds is scratch; a kept cluster
// is shut down in order, and only a server that will not end is made to.
const PROGRAM = `
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const [folder, address, marker, record] = process.argv.slice(1);
const shared = record !== '';
const users = new Set();
let starterLives = true;
let server = null;
let stopping = false;
let input = '';
const say = (line) => { try { fs.writeSync(1, line + '\\n'); } catch {} };
const finish = () => {
  try {
    if (shared && fs.existsSync(record) && JSON.parse(fs.readFileSync(record, 'utf8')).folder === folder) fs.rmSync(record);
  } catch {}
  try { fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }); } finally { process.exit(0); }
};
const stop = () => {
  if (stopping) return;
  stopping = true;
  if (shared) listener.close();
  if (server === null) return finish();
  server.kill(shared ? 'SIGINT' : 'SIGQUIT');
  if (shared) setTimeout(() => server?.kill('SIGQUIT'), 10000).unref();
};
const start = ({ file, args, log, ...options }) => {
  const out = fs.openSync(log, 'a', 0o600);
  server = spawn(file, args, { ...options, stdio: ['ignore', out, out] });
  const over = (words) => { server = null; say(words); if (stopping || (shared && !starterLives)) finish(); };
  server.once('error', (error) => over(error.message));
  server.once('exit', (code, signal) => over('the server ended with ' + (signal ?? 'exit code ' + code)));
};
const serve = (socket) => {
  socket.on('error', () => {});
  if (!shared || stopping) return socket.destroy();
  users.add(socket);
  const leave = () => {
    if (!users.delete(socket)) return;
    // The last one waits, by the end of this process, for the end of the server.
    if (!starterLives && users.size === 0) stop();
    else socket.end();
  };
  socket.on('end', leave).on('close', leave).resume().write('welcome');
};
const starterEnds = () => {
  starterLives = false;
  if (!shared || users.size === 0) stop();
};
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  input += text;
  const end = input.indexOf('\\n');
  if (end < 0) return;
  const line = input.slice(0, end);
  input = input.slice(end + 1);
  if (!stopping) start(JSON.parse(line));
});
process.stdin.on('end', starterEnds).on('error', starterEnds);
const listener = net.createServer({ allowHalfOpen: true }, serve).on('error', (error) => say('its guard cannot listen: ' + error.message));
listener.listen(address, () => {
  if (!stopping) fs.writeFileSync(path.join(folder, marker), JSON.stringify({ format: 'postgres-run@1', guard: process.pid }), { mode: 0o600 });
});
`;

/**
 * Starts the guard of a run folder.
 *
 * @param record the file by which others find the server of a kept cluster, removed when it stops; null where nobody else uses it.
 */
export function startGuard(folder: string, record: string | null): Guard {
  const child = spawn(process.execPath, ['-e', PROGRAM, folder, guardAddress(folder), MARKER, record ?? ''], {
    cwd: folder,
    detached: true,
    // NODE_OPTIONS of ours (an inspector, a loader) is not for it.
    env: guardEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return new ChildGuard(child);
}

function guardEnvironment(): Record<string, string> {
  const { SystemRoot: root } = process.env;
  return root === undefined ? {} : { SystemRoot: root };
}

class ChildGuard implements Guard {
  readonly #child: ChildProcess;
  #ended: string | null = null;

  constructor(child: ChildProcess) {
    this.#child = child;
    const { stdin, stdout } = child;
    // A guard that is gone is noticed by its exit.
    stdin?.on('error', () => {});
    stdout?.setEncoding('utf8').on('data', (line: string) => {
      this.#ended ??= line.trim();
    });
    child.once('error', (error) => {
      this.#ended ??= `its guard could not be run: ${error.message}`;
    });
    child.once('exit', (code, signal) => {
      this.#ended ??= `its guard ended with ${signal ?? `exit code ${code}`}`;
    });
    // A caller that forgets to close must still be able to exit; the guard then sees the end of its input.
    child.unref();
    for (const stream of [stdin, stdout]) (stream as { unref?: () => void } | null)?.unref?.();
  }

  get ended(): string | null {
    return this.#ended;
  }

  start(command: ServerCommand): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  handOver(): void {
    this.#child.stdin?.end();
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    child.ref();
    const exit = once(child, 'exit');
    child.stdin?.end();
    await exit;
  }
}
