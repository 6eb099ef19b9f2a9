import type { PageSection } from '../document.js';
import type { ReportModel } from '../report-model.js';

/** The sections before the questions, in the order of the page. Charts are drawn before their section is. */
export async function pageSections(_model: ReportModel): Promise<readonly PageSection[]> {
  return [];
}
