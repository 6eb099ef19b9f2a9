// Builds where the build is missing or stale: npm may have run no script at all.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STAMP_FILE, stampOfSource } from './stamp.mjs';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const stampPath = join(project, 'dist', STAMP_FILE);
if (!existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== stampOfSource(project)) {
  const built = spawnSync(process.execPath, [join(project, 'scripts', 'build.mjs')], { stdio: ['ignore', 2, 2] });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
