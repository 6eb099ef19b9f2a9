import type { Digest } from '../core/digest.js';

/** Labels of a fixture that are others than its answers were first scored by (FX-1): a plan made before the run does not cover them (MX-8). */
export interface ChangedLabels {
  readonly fixture: string;
  /** Digest of the labels of the questions asked. */
  readonly before: Digest;
  readonly after: Digest;
}

/** What the sessions of a run changed in all; labels that were restored since are no change. In the order of the first change of each fixture. */
export function changedLabels(
  sessions: readonly { readonly changed_labels?: readonly ChangedLabels[] | undefined }[],
): ChangedLabels[] {
  const all = new Map<string, ChangedLabels>();
  for (const change of sessions.flatMap(({ changed_labels = [] }) => changed_labels)) {
    const first = all.get(change.fixture) ?? change;
    all.set(change.fixture, { ...first, after: change.after });
  }
  return [...all.values()].filter(({ before, after }) => before !== after);
}
