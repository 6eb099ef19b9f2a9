// The quickstart from process start to exit, banks replayed (issue "main job", 7), and `--help`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report, spread } from './machine.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const runs = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'bench-quickstart-'));

/** Wall seconds, and user and system seconds of the process and what it waited for; the server's own are not among them. */
function timed(args) {
  const cpuBefore = childSeconds();
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', ...args], {
    cwd: project,
    encoding: 'utf8',
    timeout: 240_000,
    killSignal: 'SIGKILL',
  });
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  return { wall, cpu: childSeconds() - cpuBefore, stderr };
}

/** User and system seconds of finished children: Linux alone tells them; elsewhere they are not a number, and reported as null. */
function childSeconds() {
  const times = spawnSync('sh', ['-c', `cut -d ' ' -f 16,17 /proc/${process.pid}/stat`], { encoding: 'utf8' });
  const [user, system] = times.stdout.trim().split(' ').map(Number);
  return (user + system) / 100;
}

try {
  const run = [
    'run',
    'matrices/quickstart.yaml',
    '--bank-directory',
    join(folder, 'banks'),
    '--out',
    join(folder, 'runs'),
  ];
  // The first run records; it is not counted.
  timed(run);
  const replays = Array.from({ length: runs }, () => timed(run));
  if (!replays.every(({ stderr }) => stderr.includes('replaying bank'))) throw new Error('a run did not replay');
  const helps = Array.from({ length: runs }, () => timed(['--help']));
  report('quickstart', {
    replay_wall_seconds: spread(replays.map(({ wall }) => wall)),
    replay_cpu_seconds: spread(replays.map(({ cpu }) => cpu)),
    help_wall_seconds: spread(helps.map(({ wall }) => wall)),
    help_cpu_seconds: spread(helps.map(({ cpu }) => cpu)),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
