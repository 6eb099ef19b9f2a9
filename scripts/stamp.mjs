// The digest of everything that a build depends on.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const STAMP_FILE = '.build-stamp';

export function stampOfSource(project) {
  const hash = createHash('sha256');
  const names = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|sql|txt|cjs|css)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join('src', name));
  names.push(
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    join('scripts', 'build.mjs'),
    join('scripts', 'page-script.mjs'),
  );
  for (const name of names.sort()) {
    const path = join(project, name);
    if (existsSync(path)) hash.update(`${name}\0${readFileSync(path, 'utf8').replaceAll('\r\n', '\n')}\0`);
  }
  return hash.digest('hex');
}
