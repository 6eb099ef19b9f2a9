import { type Mutant, mutantsOf } from './mutant.js';

const READER = ['src/memory/reader/create-deliberate-reader.test.ts'];
const RUN = ['src/experiment/deliberate-run.test.ts'];
const QUERIES = ['src/experiment/deliberate-queries.test.ts'];

/** A reader that searches itself (RT-8). */
export const deliberateMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/matrix/check-recall.ts',
    ['src/matrix/check-recall.test.ts'],
    [
      ['searches-without-a-query', 'RT-8', "if (arm.recall === 'automatic' || why", "if (arm.name === '' || why"],
      [
        'axis-of-searches-multiplies-all',
        'RT-8 MX-3',
        'return !WITHOUT_QUERY.has(strategy);',
        "return strategy !== 'file';",
      ],
    ],
  ),
  ...mutantsOf('src/memory/reader/deliberation.ts', READER, [
    ['a-fourth-search', 'RT-8', 'export const SEARCH_LIMIT = 3;', 'export const SEARCH_LIMIT = 4;'],
    ['control-characters-in-a-query', 'RT-8 RS-4', "text.replace(CONTROL, ' ').trim()", 'text.trim()'],
  ]),
  ...mutantsOf('src/memory/reader/deliberate-request.ts', READER, [
    ['last-request-offers-a-search', 'RT-8', 'left > 0 ? SEARCHING_SCHEMA', 'left >= 0 ? SEARCHING_SCHEMA'],
    ['searches-untold', 'RT-8', 'searches: searches.map(', 'searches: searches.slice(searches.length).map('],
  ]),
  ...mutantsOf('src/memory/reader/deliberate-prompt.ts', READER, [
    ['protocol-is-not-bound', 'RT-8 RT-5', 'digest: digestText(whole)', 'digest: digestText(text)'],
  ]),
  ...mutantsOf(
    'src/memory/recall/found-items.ts',
    ['src/memory/recall/found-items.test.ts'],
    [
      ['found-again-as-it-was', 'RT-8 RT-3', '[...before, ...found]) byId', '[...found, ...before]) byId'],
      [
        'rank-of-the-search',
        'RT-8',
        '({ ...item, rank: index + 1 })',
        '(index < 0 ? { ...item, rank: index + 1 } : item)',
      ],
    ],
  ),
  ...mutantsOf('src/experiment/asking/retrieval.ts', RUN, [
    [
      'search-is-the-question-again',
      'RT-8',
      'question: search.query, subjects',
      'question: this.question.question, subjects',
    ],
    [
      'each-text-is-paid-twice',
      'OB-2',
      'if (!this.#prepared.has(text)) this.#prepared.set(text, cost);',
      'this.#prepared.set(`${text}${this.searches.length}`, cost);',
    ],
    ['missed-search-is-not-told', 'SQ-1', 'this.searches.find((one) => one.lookup_miss !== null) ?? ', ''],
  ]),
  ...mutantsOf('src/experiment/asking/ask.ts', RUN, [
    [
      'key-in-a-query-is-kept',
      'MX-4 RT-8',
      "this.#refuseSecrets('query', [search.query, ...search.subjects].join('\\n'));",
      '',
    ],
  ]),
  ...mutantsOf('src/experiment/asking/ask.ts', QUERIES, [
    ['said-is-asked-again', 'MX-9 LG-2', 'this.#said.set(this.#request, completion);', ''],
  ]),
  ...mutantsOf('src/experiment/arm-needs.ts', QUERIES, [
    [
      'question-is-prepared-for-nobody',
      'SQ-2 RT-8',
      "usesVectors(arm) && arm.recall !== 'deliberate'",
      'usesVectors(arm)',
    ],
  ]),
  ...mutantsOf('src/experiment/vectors/row-lookups.ts', QUERIES, [
    ['readers-queries-are-not-counted', 'SQ-1 RT-8', "if (row.recall === 'deliberate')", "if (row.arm === '')"],
  ]),
  ...mutantsOf('src/experiment/running-cell.ts', RUN, [
    [
      'refused-reader-begins-anew',
      'MX-9 RT-8',
      'gate.pass(asking(this.block, this.cell, question, label))',
      'gate.pass(() => asking(this.block, this.cell, question, label)())',
    ],
  ]),
  ...mutantsOf('src/experiment/planning/plan-deliberate.ts', RUN, [
    ['plan-counts-one-call', 'MX-6', 'calls: SEARCH_LIMIT + 1,', 'calls: 1,'],
  ]),
  ...mutantsOf(
    'src/experiment/reproducing/replayed-reader.ts',
    ['src/experiment/reproducing/replayed-reader.test.ts'],
    [['repeat-is-taken-for-replayed', 'RP-1 RT-8', "    row.outcome.kind === 'answered' &&\n", '']],
  ),
  ...mutantsOf(
    'src/experiment/reproducing/reproduction.ts',
    ['src/experiment/reproducing/reproduction.test.ts'],
    [
      [
        'unreplayed-row-differs',
        'RP-1 RT-8',
        "if (row.recall === 'deliberate' && !replayed) {",
        'if (row.position < 0) {',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/planning/plan-deliberate.ts',
    ['src/experiment/vectors/withheld-questions.test.ts'],
    [
      [
        'searches-of-a-barred-fixture-are-planned',
        'SQ-7 MX-6',
        'vectorPlans(prepared, plan).length > 0',
        'vectorPlans(prepared, plan).length >= 0',
      ],
    ],
  ),
  ...mutantsOf('src/experiment/reproducing/reproduce.ts', RUN, [
    [
      'remote-searches-without-a-run',
      'RP-1 RT-8',
      "arm.recall === 'deliberate' && !readsHere) throw",
      "arm.name === '' && !readsHere) throw",
    ],
  ]),
  ...mutantsOf(
    'src/provider/local/reader/reader.ts',
    ['src/provider/local/reader/next-search.test.ts'],
    [['searches-although-it-knows', 'RT-8', 'answer.abstains ? nextSearch', 'message.question !== null ? nextSearch']],
  ),
];
