import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Digest, digestJson, digestText } from '../core/digest.js';

const BUILD_OR_SOURCE = dirname(dirname(fileURLToPath(import.meta.url)));
/** Rooms that only show what a run says, or pack it. The statistics are none: intervals of the result are theirs. */
const SHOWING = /^(cli|report(?!\/statistics)|experiment\/bundle)\//;
const PROGRAM = /(?<!\.test)(?<!\.d)\.(js|ts|cjs|sql|txt)$/;

let known: Digest | null = null;

/** The digest of everything of this program that can change a row or a result: two programs' rows never share a run (R-09, R-11). */
export function programDigest(): Digest {
  known ??= digestJson(
    programFiles().map((name) => [name, digestText(readFileSync(join(BUILD_OR_SOURCE, name), 'utf8'))]),
  );
  return known;
}

/** What that digest is over: paths below the source or the build, in order. */
export function programFiles(): string[] {
  return readdirSync(BUILD_OR_SOURCE, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => PROGRAM.test(name) && !SHOWING.test(name))
    .sort();
}
