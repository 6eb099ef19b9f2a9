import type { PageSection } from '../document.js';
import type { ReportModel } from '../report-model.js';
import { abstentionSection } from './abstention-section.js';
import { armsSection } from './arms-section.js';
import { categoriesSection } from './categories-section.js';
import { causesSection } from './causes-section.js';
import { costSection } from './cost-section.js';
import { differencesSection } from './differences-section.js';
import { LedgerSection } from './ledger-section.js';
import { ProvenanceSection } from './provenance-section.js';
import { recallSection } from './recall-section.js';
import { VerdictSection } from './verdict-section.js';

/** The sections before the questions, in the order of the page. Charts are drawn before their section is. */
export async function pageSections(model: ReportModel): Promise<readonly PageSection[]> {
  return [
    { id: 'verdict', title: 'Verdict', content: <VerdictSection model={model} /> },
    { id: 'causes', title: 'Where questions are lost', content: await causesSection(model) },
    { id: 'arms', title: 'Arms', content: await armsSection(model) },
    { id: 'differences', title: 'Paired differences', content: await differencesSection(model) },
    { id: 'cost', title: 'Cost and quality', content: await costSection(model) },
    { id: 'recall', title: 'Evidence recall', content: await recallSection(model) },
    { id: 'categories', title: 'Categories and conversations', content: await categoriesSection(model) },
    { id: 'abstention', title: 'Answering and abstaining', content: await abstentionSection(model) },
    { id: 'ledger', title: 'Ledger', content: <LedgerSection model={model} /> },
    { id: 'provenance', title: 'Provenance', content: <ProvenanceSection model={model} /> },
  ];
}
