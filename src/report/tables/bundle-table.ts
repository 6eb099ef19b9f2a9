import { counted } from '../../core/counted.js';
import type { BundleExport, BundleGap, BundleVerification } from '../../experiment/bundle-document.js';
import { factLines } from './fact-lines.js';

const NAME_WIDTH = 11;

/** What `export` made, as people read it. */
export function showExport(made: BundleExport): string {
  const { redacted, missing } = made;
  return factLines(NAME_WIDTH, [
    ['bundle', made.bundle],
    ['file', `${made.path}, ${megabytes(made.bytes)}, ${counted(made.files, 'file')}`],
    ['sha256', made.sha256],
    ['run', made.run],
    ['history', redacted ? 'redacted: what was taken out, and what remains, its bundle.json says' : 'whole'],
    ...gaps('MISSING', missing),
    ['to check', 'recall-matrix verify-bundle FILE; publish the digest of the bundle beside it'],
  ]);
}

/** What `verify-bundle` found, as people read it. */
export function showVerification(found: BundleVerification): string {
  return factLines(NAME_WIDTH, [
    ['bundle', found.bundle],
    ['file', `${megabytes(found.bytes)}, ${counted(found.files, 'file')}, ${found.sha256}`],
    ['run', `${found.run}, matrix ${found.matrix}`],
    ['history', found.redacted ? 'redacted' : 'whole'],
    ...found.checked.map(({ what, count }) => ['right', `${what}: ${count}`] as const),
    ...gaps('NOT CHECKED', found.not_checked),
    ...gaps('MISSING', found.missing),
    ...found.does_not_show.map((what) => ['not shown', what] as const),
    ...(found.extracted === null ? [] : [['unpacked', found.extracted] as const]),
    ...(found.next === null ? [] : [['next', found.next] as const]),
  ]);
}

function gaps(name: string, some: readonly BundleGap[]): (readonly [string, string])[] {
  return some.map(({ what, why }) => [name, `${what} (${why})`] as const);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
