import { digestJson } from '../../../core/digest.js';
import { changedLabels } from '../../changed-labels.js';
import { RUN_RESULT } from '../bundle-format.js';
import type { CheckedBundle } from './checked-bundle.js';
import { differences } from './differences.js';

/** What a run says of itself beside its rows: prices and seed are its matrix's, changed labels its sessions', its arms those of the matrix, each once, and a whole run has whole arms. */
export function checkManifest({ record, findings }: CheckedBundle): void {
  const { manifest, result, matrix } = record;
  const { prices, prices_digest, seed } = manifest as { readonly [field: string]: unknown };
  for (const at of differences(prices, matrix.prices))
    findings.fault(RUN_RESULT, `prices${at} is not as the matrix has it`);
  findings.same(RUN_RESULT, 'the digest of the prices', prices_digest, digestJson(matrix.prices));
  findings.same(RUN_RESULT, 'the seed', seed, matrix.seed);
  for (const at of differences(result.changed_labels, changedLabels(manifest.sessions)))
    findings.fault(RUN_RESULT, `changed_labels${at} is not what its sessions changed`);
  const names = (arms: readonly string[]): string => JSON.stringify(arms);
  const said = names(result.arms.map(({ arm }) => arm));
  findings.same(RUN_RESULT, 'the list of arms', said, names(matrix.arms.map(({ name }) => name)));
  const part = result.arms.find(({ status }) => status !== 'complete');
  if (result.status === 'complete' && part !== undefined)
    findings.fault(RUN_RESULT, `it says that the run is complete, and that its arm ${part.arm} is ${part.status}`);
}
