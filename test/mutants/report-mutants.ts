import { type Mutant, mutantsOf } from './mutant.js';

const PAGE = 'src/report/page';

/** The report's page: what may run in it, what is shown of the data, what is found (RP-5, RS-4). */
export const reportMutants: readonly Mutant[] = [
  ...mutantsOf(
    `${PAGE}/document.tsx`,
    [`${PAGE}/document.test.tsx`],
    [
      ['report-fetches', 'RP-5 RS-4', '"default-src \'none\'"', '"default-src *"'],
      ['report-runs-any-script', 'RS-4', "`script-src '${scriptHash}'`", '"script-src \'unsafe-inline\'"'],
      ['report-without-policy', 'RS-4', 'http-equiv="Content-Security-Policy"', 'name="policy"'],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/visible-text.ts`,
    [`${PAGE}/document.test.tsx`],
    [
      ['report-reorders-text', 'RS-4', '\\u2028-\\u202e', '\\u2028-\\u2029'],
      ['report-hides-controls', 'RS-4', '(?![\\t\\n])\\p{Cc}|', ''],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/column-groups.ts`,
    [`${PAGE}/column-groups.test.ts`],
    [['wide-table-loses-columns', 'RP-5', 'Math.ceil(columns / MOST_COLUMNS)', 'Math.floor(columns / MOST_COLUMNS)']],
  ),
  ...mutantsOf(
    `${PAGE}/means-table.tsx`,
    [`${PAGE}/means-table.test.tsx`],
    [['one-count-for-columns-that-differ', 'OB-4', 'counts.size > 1', 'counts.size > 2']],
  ),
  ...mutantsOf(
    `${PAGE}/sections/same-differences.ts`,
    [`${PAGE}/sections/same-differences.test.ts`],
    [['scores-that-differ-are-folded', 'RP-3', '    these_conversations,\n', '']],
  ),
  ...mutantsOf(
    `${PAGE}/data-text.tsx`,
    [`${PAGE}/document.test.tsx`],
    [
      [
        'report-text-is-markup',
        'RP-5 RS-4',
        '<bdi class="data">{visibleText(text)}</bdi>',
        '<bdi class="data" dangerouslySetInnerHTML={{ __html: visibleText(text) }} />',
      ],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/write-report.tsx`,
    [`${PAGE}/write-report.test.ts`],
    [
      ['report-hash-of-another-script', 'RP-5', '.update(script)', '.update(`${script} `)'],
      ['report-markup-hides', 'RS-4', 'yield visibleText(renderToString(', "yield visibleText('') + (renderToString("],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/masthead.tsx`,
    [`${PAGE}/write-report.test.ts`],
    [
      [
        'report-hides-incomplete',
        'RP-5 OB-4',
        "{result.status === 'complete' ? null : (",
        '{result.status !== null ? null : (',
      ],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/questions/data-block.ts`,
    [`${PAGE}/questions/question-blocks.test.ts`],
    [
      [
        'report-data-as-script',
        'RS-4',
        "gzipSync(JSON.stringify(value), { level: 9 }).toString('base64')",
        'JSON.stringify(value)',
      ],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/questions/known-turns.ts`,
    [`${PAGE}/questions/known-turns.test.ts`],
    [
      ['report-shows-erased', 'FX-2', 'text: null, caption: null, erased: true', 'erased: true'],
      ['report-corrects-erased', 'FX-2', 'text: turn.erased ? null : event.text', 'text: event.text'],
      [
        'report-shows-erased-of-state',
        'FX-2',
        'text: erased ? null : textOf(record.text)',
        'text: textOf(record.text)',
      ],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/questions/answer-detail.ts`,
    [`${PAGE}/questions/question-blocks.test.ts`],
    [
      [
        'report-searches-found-nothing',
        'RT-8',
        'const found = retrieved.map(',
        'const found = retrieved.slice(1).map(',
      ],
      ['report-outage-as-failure', 'OB-4', "isOwnFailure(row) ? 'failed' : 'lost'", "'failed'"],
      [
        'report-context-holds-all',
        'RP-5',
        'included === null ? null : included.has(id)',
        'included === null ? null : true',
      ],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/questions/question-blocks.ts`,
    [`${PAGE}/questions/question-blocks.test.ts`],
    [
      [
        'report-without-judges-words',
        'OB-7',
        'if (request !== null) said.set(',
        'if (request === judgements) said.set(',
      ],
      ['report-answers-mixed', 'FB-18', 'index.armPlace(a.arm) - index.armPlace(b.arm) || ', ''],
    ],
  ),
  ...mutantsOf(
    'src/experiment/reading/recorded-verdicts.ts',
    ['src/experiment/reading/open-run-record.test.ts'],
    [
      ['verdicts-by-file-order', 'OB-7', 'verdicts.sort((a, b) => a.repeat - b.repeat)', 'verdicts'],
      ['verdicts-of-every-judge', 'OB-7', '`${judge}\\0${request}`', 'request'],
      ['verdicts-out-of-place', 'PF-5', 'start += from;', 'start += from + 1;'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/reading/recorded-lessons.ts',
    ['src/experiment/reading/open-run-record.test.ts'],
    [['lessons-of-another-run', 'LE-6', 'digestText(text) !== bound', "text === ''"]],
  ),
  ...mutantsOf(
    `${PAGE}/questions/question-index.ts`,
    [`${PAGE}/questions/question-blocks.test.ts`],
    [['report-failure-without-score', 'OB-4', 'countedScore(row, this.#scorer)', '(row.scores[this.#scorer] ?? null)']],
  ),
  ...mutantsOf(
    `${PAGE}/client/arm-mark.ts`,
    [`${PAGE}/client/filter.test.ts`],
    [['list-shows-the-first-answer', 'FB-18', 'results.some((one) => one !== first)', "results.includes('unscored')"]],
  ),
  ...mutantsOf(
    'src/report/figures/disagreements.ts',
    ['src/report/figures/disagreements.test.ts'],
    [
      ['disagreements-bound-is-wrong', 'OB-6', 'pair.head >= from', 'pair.head > from'],
      ['disagreements-bound-is-wrong-of-base', 'OB-6', 'pair.base >= from', 'pair.base > from'],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/client/filter.ts`,
    [`${PAGE}/client/filter.test.ts`],
    [
      ['filter-bound-is-wrong', 'OB-6', 'score < right_from', 'score <= right_from'],
      ['filter-cause-of-any-answer', 'RP-5', '(cause === null || rows.cause[row] === cause) &&', ''],
      ['filter-own-failure-is-no-answer', 'OB-4', 'by.score[row] ?? null', 'by.score[row] || null'],
      ['filter-means-over-rows', 'RP-3', 'by.replicate[row] as number', '1'],
      ['filter-in-sample-ignored', 'LE-6', 'if (sample !== null && questions', 'if (sample === -2 && questions'],
      ['filter-wrong-under-ignored', 'RP-5', 'if (wrong !== null && armResult', 'if (wrong === -2 && armResult'],
      ['filter-unknown-chooses-all', 'RP-5', "word === '' ? null", 'words.indexOf(word) === -1 ? null'],
      ['filter-order-between-equals', 'RP-5', 'one === other ? a - b', 'one === other ? b - a'],
    ],
  ),
  ...mutantsOf(
    `${PAGE}/style.css`,
    [`${PAGE}/style.test.ts`],
    [['report-heat-hides-numbers', 'RP-5', 'calc(var(--level, 0) * 45%)', 'calc(var(--level, 0) * 50%)']],
  ),
];
