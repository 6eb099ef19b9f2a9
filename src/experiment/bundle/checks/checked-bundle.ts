import type { RunFolder } from '../../run-folder.js';
import type { RunRecord } from '../../run-record.js';
import type { UnpackedBundle } from '../unpack-bundle.js';
import type { Workspace } from '../workspace.js';
import type { Findings } from './findings.js';

/** A bundle while it is checked: its files are those that its manifest lists, of these digests. */
export interface CheckedBundle extends UnpackedBundle {
  readonly record: RunRecord;
  /** Where files of the run lie in the bundle. */
  readonly paths: RunFolder;
  readonly workspace: Workspace;
  readonly findings: Findings;
  /** Whether a file is listed. */
  has(path: string): boolean;
}
