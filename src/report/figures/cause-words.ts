import type { MissCause } from '../../scoring/miss.js';

/** Where a wrong answer was lost (OB-6), as people read it. */
export const CAUSE_WORDS: { readonly [Cause in MissCause]: string } = {
  'never-formed': 'never formed',
  'wrongly-superseded': 'wrongly superseded',
  'not-retrieved': 'not retrieved',
  'cut-from-context': 'cut from context',
  misread: 'misread',
  untold: 'cause not told',
};
