import { shortDigest } from '../../core/digest.js';
import { invalidInput } from '../../core/errors.js';
import type { RunResult } from '../experiment.js';
import type { RunManifest } from '../run-manifest.js';
import type { PastRun } from './continued-run.js';
import { resumeCommand } from './resume-command.js';

/** @throws `RUN_NOT_FINISHED` (exit 2) where questions of the run are still to be asked, or it was killed. */
export function refuseUnfinished({ folder, manifest }: PastRun, done: 'extended' | 'scored again'): void {
  const { arms = [], formation = [] } = manifest as Partial<Pick<RunResult, 'arms' | 'formation'>>;
  const isAsked = arms.every(({ status }) => status === 'complete' || status === 'failed');
  // An arm that failed elsewhere is `failed`, whatever it was not asked for want of a bank.
  const isFormed = formation.every(({ source }) => source !== 'failed');
  if (manifest.status !== 'running' && isAsked && isFormed) return;
  throw invalidInput('RUN_NOT_FINISHED', `${manifest.run} is ${manifest.status}: only a finished run is ${done}`, {
    remedy: `finish it first: ${resumeCommand(folder.path)}`,
  });
}

/** Each matrix has a file of its own, so that a crash while the run takes the next one leaves the one before whole. */
export function nextMatrix(
  { matrices }: RunManifest,
  digest: RunManifest['matrix']['digest'],
): RunManifest['matrices'] {
  return [...matrices, { digest, file: `matrix.resolved-${matrices.length + 1}-${shortDigest(digest, 8)}.yaml` }];
}
