// `node bench/run.mjs NAME`: builds what is missing or stale, and runs one benchmark on the built program.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const names = readdirSync(here)
  .filter((file) => file.endsWith('.mjs') && !['run.mjs', 'machine.mjs'].includes(file))
  .map((file) => file.slice(0, -'.mjs'.length));
const [name, ...rest] = process.argv.slice(2);
if (!names.includes(name)) {
  process.stderr.write(`usage: node bench/run.mjs ${names.sort().join('|')} [runs]\n`);
  process.exit(2);
}
const built = spawnSync(process.execPath, [`${here}../scripts/ensure-build.mjs`], { stdio: ['ignore', 2, 2] });
if (built.status !== 0) process.exit(built.status ?? 1);
process.argv = [process.argv[0], process.argv[1], ...rest];
await import(`./${name}.mjs`);
