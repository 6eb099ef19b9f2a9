import { z } from 'zod';
import { DIGEST_PATTERN, type Digest } from '../../core/digest.js';
import { toolVersion } from '../../core/tool-version.js';

/** The manifest's name: the first entry of every bundle. */
export const BUNDLE_MANIFEST = 'bundle.json';
/** Where the run folder lies in a bundle. */
export const RUN_FOLDER = 'run';
/** What the run says of itself. */
export const RUN_RESULT = `${RUN_FOLDER}/run.json`;

/** What a reader takes in, whatever a bundle says of itself: none of it is believed before it is bounded (RS-4). */
export const BUNDLE_LIMITS = {
  /** Of the archive, as it lies on the disk. */
  archive_bytes: 4_294_967_296,
  /** Of all files together, unpacked. */
  total_bytes: 17_179_869_184,
  /** Of one file: the largest is a vector bank, or the ledger of a long run. */
  file_bytes: 536_870_912,
  files: 500_000,
  manifest_bytes: 134_217_728,
  path_bytes: 512,
} as const;

const digest = z.custom<Digest>((value) => typeof value === 'string' && DIGEST_PATTERN.test(value));

const fileSchema = z.strictObject({
  path: z.string().refine(isBundlePath, 'expected a relative path that leaves no folder'),
  bytes: z.int().min(0).max(BUNDLE_LIMITS.file_bytes),
  sha256: digest,
});

/** `bundle.json` (docs/formats/bundle.md). */
export const bundleManifestSchema = z.strictObject({
  format: z.literal('bundle@1'),
  run: z.string().min(1),
  /** Of the run's last session. */
  matrix: digest,
  /** The version that made the bundle; what made the run, `run.json` says. */
  tool: z.strictObject({ version: z.string(), node: z.string() }),
  /** Null: nothing was taken out. */
  redaction: z
    .strictObject({
      /** In words: what was left out, and what stands in its place. */
      removed: z.array(z.string()),
      /** Names of what stands under a keyed digest. */
      keyed: z.array(z.string()),
      key: z.string(),
      remains: z.array(z.string()),
    })
    .nullable(),
  /** The matrix as a file that can be run, where the bundle has one. */
  matrix_file: z.string().refine(isBundlePath).nullable(),
  /** What belongs into a bundle and was not at hand, or was taken out. */
  missing: z.array(z.strictObject({ what: z.string(), why: z.string() })),
  /** What was written otherwise than it lies in the run folder. */
  changed: z.array(z.string()),
  shows: z.array(z.string()),
  does_not_show: z.array(z.string()),
  /** Every other file, by path. */
  files: z.array(fileSchema).max(BUNDLE_LIMITS.files),
});

/** `bundle.json`. */
export type BundleManifest = z.output<typeof bundleManifestSchema>;
export type BundledFile = BundleManifest['files'][number];

const SHOWS = [
  'that no file changed since the bundle was made, and that the digests of rows name what lies here, as far as it does',
  'that counts, means and sums are those of the rows and of the ledger',
];
const SHOWS_WHOLE = [
  'what was sent to readers and judges, what was retrieved, and what was answered',
  'that scores are those of these answers by these labels, where a scorer of this program gives them',
];
const DOES_NOT_SHOW = [
  'who made it: a digest is no signature; compare the digest of the bundle with one that its maker published',
  'that the answers are those of the models that are named: only asking them shows that',
  'that formation found every fact',
];
const DOES_NOT_SHOW_REDACTED = ['what was said, formed, retrieved or answered, nor that a score is right'];

/** What every bundle says of itself. */
export function bundleStatements(
  isRedacted: boolean,
): Pick<BundleManifest, 'format' | 'tool' | 'shows' | 'does_not_show'> {
  return {
    format: 'bundle@1',
    tool: { version: toolVersion(), node: process.version },
    shows: isRedacted ? SHOWS : [...SHOWS, ...SHOWS_WHOLE],
    does_not_show: isRedacted ? [...DOES_NOT_SHOW, ...DOES_NOT_SHOW_REDACTED] : DOES_NOT_SHOW,
  };
}

/** The manifest's bytes. */
export function manifestBytes(manifest: BundleManifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`, 'utf8');
}

/** Whether a path stays below the folder that a bundle is unpacked into, on any system (RS-4). */
export function isBundlePath(path: string): boolean {
  return (
    Buffer.byteLength(path) <= BUNDLE_LIMITS.path_bytes &&
    path.isWellFormed() &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
    !/[\u0000-\u001f\u007f\\:]/.test(path) &&
    // A `.env` beside a matrix would be read by who runs it.
    path.split('/').every((part) => !['', '.', '..', '.env'].includes(part))
  );
}
