import { type Mutant, mutantsOf } from './mutant.js';

const GUARDS = ['src/memory/query-preparation/guards/guards.test.ts'];
const PREPARATION = ['src/memory/query-preparation/query-preparer.test.ts'];
const RUN = ['src/experiment/vectors/withheld-questions.test.ts'];
const FOLDER = 'src/memory/query-preparation';

/** What keeps a query from being prepared, or its text from leaving: eligibility and guards (SQ-6, SQ-7). */
export const guardMutants: readonly Mutant[] = [
  ...mutantsOf(`${FOLDER}/preparation-bar.ts`, PREPARATION, [
    ['vector-of-another-owner', 'SQ-6', "if (!isOwners) return 'owner';", ''],
    ['vector-of-another-scope', 'SQ-6', "if (query.scope !== 'standard') return 'scope';", ''],
    ['vector-of-legacy-candidates', 'SQ-6', "if (query.candidates !== 'permitted') return 'selection';", ''],
    ['vector-of-empty-text', 'SQ-6', "query.question.trim() === '' ? 'empty' : null", 'null'],
  ]),
  ...mutantsOf(`${FOLDER}/query-preparer.ts`, PREPARATION, [
    ['credential-leaves', 'SQ-7', 'return withheld === null;', 'return true;'],
  ]),
  ...mutantsOf(`${FOLDER}/guards/withholding.ts`, GUARDS, [
    [
      'broken-text-leaves',
      'SQ-7',
      'if (!texts.every((text) => text.isWellFormed())) return',
      'if (texts.length === 0) return',
    ],
    ['confidential-text-leaves', 'SQ-6 SQ-7', 'if (!mayLeave(floor)) return', "if (floor === 'restricted') return"],
    ['guards-of-local-text', 'SQ-7', 'if (!egress.leaves_process) return null;', ''],
    [
      'subjects-leave-unguarded',
      'SQ-7',
      'return [question, ...subjects];',
      'return [question, ...subjects.slice(0, 0)];',
    ],
    ['classified-text-leaves', 'SQ-7', 'classified(texts, context) ??', ''],
    ['residency-unguarded', 'SQ-7', "found('residency', outsideResidency(egress)) ??", ''],
  ]),
  ...mutantsOf(`${FOLDER}/guards/length.ts`, GUARDS, [
    ['long-text-leaves', 'SQ-7', 'bytes > QUERY_TEXT_LIMIT_BYTES', 'bytes > QUERY_TEXT_LIMIT_BYTES + 1'],
    ['length-in-characters', 'SQ-7', 'Buffer.byteLength(queryText(query))', 'queryText(query).length'],
  ]),
  ...mutantsOf(`${FOLDER}/guards/residency.ts`, GUARDS, [
    [
      'unstated-region-allowed',
      'SQ-7',
      '(region !== null && residency.includes(region))',
      '(region === null || residency.includes(region))',
    ],
    ['any-region-allowed', 'SQ-7', 'residency.includes(region)', 'residency.length > 0'],
  ]),
  ...mutantsOf(`${FOLDER}/guards/sensitivity.ts`, GUARDS, [
    ['any-digits-are-a-card', 'SQ-7', 'return sum % 10 === 0;', 'return sum > 0;'],
    ['any-letters-are-an-account', 'SQ-7', 'return BigInt(digits) % 97n === 1n;', 'return BigInt(digits) > 0n;'],
    ['full-width-card-leaves', 'SQ-7', "shownText(text).replaceAll(/\\p{Pd}/gu, '-')", 'text'],
  ]),
  ...mutantsOf(`${FOLDER}/guards/injection.ts`, GUARDS, [
    ['hidden-text-leaves', 'SQ-7', 'texts.some((text) => HIDDEN.test(text))', 'texts.length === 0'],
    ['chat-markup-leaves', 'SQ-7', "return 'markup of a chat';", 'return null;'],
    ['orders-leave', 'SQ-7', 'if (ORDERS.some((order) => order.test(words)))', 'if (words === null)'],
    ['split-order-leaves', 'SQ-7', "wordsOf(texts.join(' '))", "wordsOf(texts[0] ?? '')"],
  ]),
  ...mutantsOf(`${FOLDER}/guards/credential.ts`, GUARDS, [
    ['hidden-credential-leaves', 'SQ-7', '[...texts, ...texts.map(shownText)]', '[...texts]'],
  ]),
  ...mutantsOf('src/experiment/vectors/preparation-context.ts', RUN, [
    ['items-leave-under-a-floor', 'SQ-7', 'if (!mayLeave(floor)) return {', "if (floor === 'restricted') return {"],
    ['items-leave-a-residency', 'SQ-7', 'egress.leaves_process ? outsideResidency(egress) : null', 'null'],
    [
      'remote-embedder-unguarded',
      'SQ-7',
      '{ leaves_process: true, region: entry.region ?? null, residency }',
      '{ leaves_process: false, region: entry.region ?? null, residency }',
    ],
  ]),
  ...mutantsOf(`${FOLDER}/guards/shown-text.ts`, GUARDS, [
    ['fillers-split-words', 'SQ-7', '\\p{Default_Ignorable_Code_Point}', '\\p{Variation_Selector}'],
  ]),
];
