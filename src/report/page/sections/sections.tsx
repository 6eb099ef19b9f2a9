import type { RunRecord } from '../../../experiment/run-record.js';
import type { PageSection } from '../document.js';

/** The sections before the questions, in the order of the page. */
export async function pageSections(_record: RunRecord): Promise<readonly PageSection[]> {
  return [];
}
