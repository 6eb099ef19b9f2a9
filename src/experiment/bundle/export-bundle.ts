import { lstat, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { digestBytes } from '../../core/digest.js';
import { invalidInput } from '../../core/errors.js';
import type { Environment } from '../../matrix/environment.js';
import type { BundleExport } from '../bundle-document.js';
import { isHalfScored } from '../half-scored.js';
import { openRunRecord } from '../reading/open-run-record.js';
import { rescoreCommand } from '../rescoring/rescore-command.js';
import type { RunRecord } from '../run-record.js';
import { BUNDLE_MANIFEST, type BundleManifest, bundleStatements, manifestBytes, RUN_FOLDER } from './bundle-format.js';
import { BundleStage } from './bundle-stage.js';
import { checkBundle } from './checks/check-bundle.js';
import { configuredSecrets } from './configured-secrets.js';
import { historyWatch } from './history-watch.js';
import { exists, packBundle } from './pack-bundle.js';
import { type PortableText, portableText } from './portable-text.js';
import { putMatrix } from './put-matrix.js';
import { putRun } from './put-run.js';
import { putWorkspace } from './put-workspace.js';
import { Redaction } from './redaction.js';
import { redactionStatement } from './redaction-statement.js';
import { secretWatch } from './secret-watch.js';
import { type Workspace, workspaceOf } from './workspace.js';

/** What `export --bundle` is told. */
export interface ExportOptions {
  /** A file, or a folder in which one is made, named after the run. Absolute. */
  readonly target: string;
  /** Whether a file of that name is replaced. */
  readonly force: boolean;
  readonly redactHistory: boolean;
  readonly environment: Environment;
  /** It may hold a password, which no bundle may. */
  readonly databaseUrl: string | null;
}

/**
 * Makes one file of a run and of what it rests on, for another person (RP-7). It is checked as the other person will check it before it is there.
 *
 * @param run the run folder, absolute.
 * @throws exit 2: what `openRunRecord` throws, `RUN_NOT_FINISHED`, `BUNDLE_EXISTS`, `BUNDLE_NOT_WRITTEN`, `BUNDLE_HOLDS_SECRET`, `BUNDLE_HOLDS_HISTORY`, `BUNDLE_SOURCE_BROKEN`,
 * `BUNDLE_SOURCE_UNREADABLE`, `BUNDLE_TOO_LARGE`, `BUNDLE_PATH_UNSAFE`, `REDACTION_NEEDS_FIXTURE`; `BUNDLE_CONTENT_DIFFERS` where the run itself is not whole.
 */
export async function exportBundle(run: string, options: ExportOptions): Promise<BundleExport> {
  const record = await openRunRecord(run);
  refuseHalfScored(record);
  const path = await bundlePath(options.target, record.run);
  if (!options.force && (await isThere(path))) throw exists(path);
  const workspace = workspaceOf(record.matrix);
  const redaction = options.redactHistory ? await Redaction.of(record) : null;
  const isOwn = (file: string): boolean =>
    file === BUNDLE_MANIFEST ||
    (file.startsWith(`${RUN_FOLDER}/`) ? file.endsWith('.yaml') : !file.endsWith('/fixture.yaml'));
  const stage = await BundleStage.open(path, [
    secretWatch(await configuredSecrets(record, options)),
    ...(redaction === null ? [] : [historyWatch(record, isOwn)]),
  ]);
  try {
    const manifest = await fill(stage, record, workspace, redaction);
    const bytes = manifestBytes(manifest);
    await stage.writeManifest(bytes);
    await checkBundle({ folder: stage.folder, manifest, digest: digestBytes(bytes) });
    const files = [BUNDLE_MANIFEST, ...manifest.files.map((file) => file.path)];
    const packed = await packBundle(stage.folder, files, path, options.force);
    return {
      format: 'bundle-export@1',
      run: record.run,
      path,
      ...packed,
      bundle: digestBytes(bytes),
      files: files.length,
      redacted: redaction !== null,
      missing: manifest.missing,
      changed: manifest.changed,
    };
  } finally {
    await stage.remove();
  }
}

/** What a killed rescoring paid is in the ledger, and in no result yet. @throws `RUN_NOT_FINISHED` (exit 2). */
function refuseHalfScored({ run, path, manifest }: RunRecord): void {
  if (!isHalfScored(manifest)) return;
  throw invalidInput('RUN_NOT_FINISHED', `${run} was being scored again, and that was killed`, {
    remedy: `finish it first; this asks for no verdict that is not there: ${rescoreCommand(path)}`,
  });
}

async function fill(
  stage: BundleStage,
  record: RunRecord,
  workspace: Workspace,
  redaction: Redaction | null,
): Promise<BundleManifest> {
  const folder = dirname(record.manifest.matrix.path);
  const { matrixFile } = workspace;
  const say = sayingOf(record, workspace);
  const left = await putRun({ stage, record, say, redaction, matrixFile });
  const missing = [
    ...left.map((file) => ({ what: `${RUN_FOLDER}/${file}`, why: 'it is no part of a run' })),
    ...(await putWorkspace({ stage, record, workspace, folder, redacts: redaction !== null })),
  ];
  const noMatrix = await putMatrix(stage, record, workspace);
  return {
    ...bundleStatements(redaction !== null),
    run: record.run,
    matrix: record.manifest.matrix.digest,
    redaction: redaction === null ? null : redactionStatement(),
    matrix_file: noMatrix === null ? matrixFile : null,
    missing: noMatrix === null ? missing : [...missing, noMatrix],
    changed: CHANGED,
    files: stage.files,
  };
}

const CHANGED = [
  'run/run.json: `matrix.path` and `ledger_home` say where matrix and ledger lie in the bundle; absolute paths in messages are shortened',
  'run/arms: absolute paths in messages of failed rows, and in names that models report, are shortened',
  'paths that the matrix gives relative to itself stand as they are: its digest binds them',
];

/** Where the parts of the run lay, as a reader of the bundle finds them. */
function sayingOf(record: RunRecord, workspace: Workspace): PortableText {
  const folder = dirname(record.manifest.matrix.path);
  const top = resolve(folder, ...new Array<string>(workspace.depth).fill('..'));
  return portableText([
    [record.path, RUN_FOLDER],
    [folder, dirname(workspace.matrixFile)],
    [top, 'workspace'],
    [homedir(), '~'],
  ]);
}

async function bundlePath(target: string, run: string): Promise<string> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? join(target, `${run}.bundle.tar.gz`) : target;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
