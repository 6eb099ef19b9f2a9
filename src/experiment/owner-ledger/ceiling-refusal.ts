import type { AdmissionCeiling, AdmissionResult } from '../../memory/query-preparation/admission.js';
import { AdmissionRefused } from '../../memory/query-preparation/admission-refused.js';

const REMEDIES: { readonly [Ceiling in AdmissionCeiling]: string } = {
  request:
    'start a run with a higher `query_preparation.ceilings.request_usd`: the most that one request may be charged',
  day: 'resume the run on another UTC day, or start one with a higher `query_preparation.ceilings.day_usd`',
  slot: 'wait until the other process has prepared its questions of this owner',
};

/** The refusal that a user meets, of what the owner's ledger said. */
export function ceilingRefusal({ ceiling, message }: Extract<AdmissionResult, { kind: 'refused' }>): AdmissionRefused {
  return new AdmissionRefused(ceiling, message, REMEDIES[ceiling]);
}
