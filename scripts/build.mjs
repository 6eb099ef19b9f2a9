// Builds dist/ from src/: type-checked JavaScript, the SQL beside it, the report's script in one file, the implementation digest, and a stamp of what was built.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildPageScript } from './page-script.mjs';
import { STAMP_FILE, stampOfSource } from './stamp.mjs';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(project, 'dist');

const stamp = stampOfSource(project);
rmSync(dist, { recursive: true, force: true });
const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
for (const part of ['tsconfig.build.json', join('src', 'report', 'page', 'client', 'tsconfig.json')]) {
  const compiled = spawnSync(process.execPath, [tsc, '-p', join(project, part)], { stdio: 'inherit' });
  if (compiled.status !== 0) {
    rmSync(dist, { recursive: true, force: true });
    process.exit(compiled.status ?? 1);
  }
}
for (const entry of readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (!/\.(sql|txt|cjs|css)$/.test(entry)) continue;
  mkdirSync(dirname(join(dist, entry)), { recursive: true });
  cpSync(join(project, 'src', entry), join(dist, entry));
}
await buildPageScript(join(project, 'src', 'report', 'page', 'client'), join(dist, 'report', 'page', 'client.js'));
const { computeImplementation, IMPLEMENTATION_FILE } = await import(
  pathToFileURL(join(dist, 'bank', 'implementation-digest.js')).href
);
writeFileSync(join(dist, IMPLEMENTATION_FILE), `${JSON.stringify(computeImplementation(project), null, 2)}\n`);
writeFileSync(join(dist, STAMP_FILE), stamp);
