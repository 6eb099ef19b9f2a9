import { fixtureFolder } from '../../../matrix/fixture-folder.js';
import type { CheckedBundle } from './checked-bundle.js';

/** Histories, questions and labels are those that the run was bound to, by their digests. */
export async function checkFixtures(bundle: CheckedBundle): Promise<void> {
  const { record, findings, manifest } = bundle;
  for (const { id } of record.manifest.fixtures) {
    if (!hasFixture(bundle, id)) {
      findings.skipped(
        `fixture ${id}: its history, questions and labels`,
        manifest.redaction === null ? 'it is missing' : 'redacted',
      );
      continue;
    }
    const file = fixturePath(bundle, id) ?? id;
    const found = await findings.reading(file, () => record.fixture(id));
    findings.looked('fixtures by corpus, load and label digests');
    if (found !== null && 'missing' in found) findings.fault(file, found.missing);
  }
}

/** Whether a fixture's text is in the bundle. */
export function hasFixture(bundle: CheckedBundle, id: string): boolean {
  const path = fixturePath(bundle, id);
  return path !== null && bundle.has(`${path}/history.jsonl`);
}

function fixturePath({ record, workspace }: CheckedBundle, id: string): string | null {
  const path = fixtureFolder(record.matrix, id);
  return path === undefined ? null : workspace.place(path);
}
