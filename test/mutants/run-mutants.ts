import { type Mutant, mutantsOf } from './mutant.js';

const MATRIX = ['src/matrix/load-matrix.test.ts'];
const SCORERS = ['src/scoring/scorers.test.ts', 'test/regressions/scoring.test.ts'];

/** Matrices, fixtures, the experiment, scoring and what is shown. */
export const runMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/matrix/check-prices.ts',
    ['src/matrix/check-prices.test.ts'],
    [
      ['model-without-price', 'LG-8 R-26', 'if (price === undefined)', 'if (price === null)'],
      ['output-without-price', 'LG-8 R-26', 'if (embeds || pricesOutput(price)) return [];', 'return [];'],
    ],
  ),
  ...mutantsOf(
    'src/matrix/check-providers.ts',
    ['src/matrix/check-providers.test.ts'],
    [
      ['url-with-credentials', 'RS-4', "if (url.username !== '' || url.password !== '' ||", 'if ('],
      [
        'seed-is-dropped',
        'MX-2',
        "(isResponses || entry?.kind === 'anthropic') && choice.seed !== null",
        "choice.seed === 'x'",
      ],
      [
        'dimensions-missing',
        'MX-2',
        "entry?.kind === 'openai' && dimensions === undefined",
        "entry?.kind === 'local' && dimensions === 0",
      ],
    ],
  ),
  ...mutantsOf(
    'src/fixture/sample-questions.ts',
    ['src/fixture/sample-questions.test.ts'],
    [
      ['sample-by-remainder-left-out', 'MX-9', '.sort((a, b) => b.remainder - a.remainder ||', '.sort((a, b) =>'],
      ['sample-in-file-order', 'MX-9', 'compare(a.hash, b.hash)', 'compare(a.hash, a.hash)'],
    ],
  ),
  ...mutantsOf(
    'src/fixture/select-questions.ts',
    ['src/fixture/select-questions.test.ts'],
    [['sample-larger-than-the-load', 'MX-9', 'if (sample.size > candidates.length)', 'if (sample.size < 0)']],
  ),
  ...mutantsOf(
    'src/experiment/summary/analysis-result.ts',
    ['src/experiment/summary/analysis-result.test.ts'],
    [
      ['secondary-score-is-planned', 'MX-8', 'name !== analysis.primary', "name === ''"],
      ['every-arm-is-planned', 'MX-8', '!planned.has(name)', "name === ''"],
    ],
  ),
  ...mutantsOf('src/matrix/check-matrix.ts', MATRIX, [
    [
      'seed-without-sample',
      'MX-9',
      'if (matrix.load.seed !== undefined && matrix',
      'if (matrix.load.seed === null && matrix',
    ],
    [
      'placeholder-is-taken',
      'MX-4 R-04',
      "if (typeof value === 'string' && /\\$\\{",
      "if (typeof value === 'symbol' && /\\$\\{",
    ],
    ['duplicate-arm', 'MX-2', 'if (seen.has(folded))', 'if (seen.size < 0)'],
    ['arms-that-differ-in-case', 'MX-2', 'const folded = arm.name.toLowerCase();', 'const folded = arm.name;'],
    [
      'semantic-without-preparation',
      'SQ-2',
      'if (usesVectors && matrix.query_preparation === undefined) {',
      'if (usesVectors && matrix.query_preparation === null) {',
    ],
    [
      'beliefs-without-formation',
      'MX-5',
      "if (matrix.formation === 'none' && retrieval.unit === 'beliefs'",
      "if (matrix.formation === undefined && retrieval.unit === 'beliefs'",
    ],
    ['unknown-provider', 'MX-2', 'if (provider === undefined) {', 'if (provider === null) {'],
    [
      'unknown-local-model',
      'MX-2',
      "provider.kind === 'local' && !localModels.includes(model)",
      "provider.kind === 'local' && localModels.length === 0",
    ],
  ]),
  ...mutantsOf('src/matrix/environment.ts', MATRIX, [
    [
      'empty-variable',
      'MX-4',
      "if (value !== undefined && value !== '') return value;",
      'if (value !== undefined) return value;',
    ],
    [
      'env-file-wins',
      'MX-4',
      'return { ...parse(text), ...processEnvironment };',
      'return { ...processEnvironment, ...parse(text) };',
    ],
  ]),
  ...mutantsOf(
    'src/fixture/subjects.ts',
    ['src/fixture/subjects.test.ts'],
    [
      ['subject-within-a-word', 'FX-3', '!WORD_AFTER.test(text.slice(found + name.length))', 'text.length > 0'],
      ['subject-of-another-form', 'FX-3', "const text = question.normalize('NFC');", 'const text = question;'],
    ],
  ),
  ...mutantsOf(
    'src/fixture/digests.ts',
    ['src/fixture/digests.test.ts'],
    [
      [
        'load-without-times',
        'FX-1',
        'questions.map(({ id, question, asked_at, subjects }) => ({ id, question, asked_at, subjects }))',
        'questions.map(({ id, question, subjects }) => ({ id, question, subjects }))',
      ],
    ],
  ),
  ...mutantsOf(
    'src/fixture/check-history.ts',
    ['src/fixture/load.test.ts'],
    [
      [
        'history-goes-back',
        'FX-2',
        'if (previous !== null && event.at < previous.value.at) {',
        'if (previous !== null && event.at < "") {',
      ],
      ['correction-of-nothing', 'FX-2', 'if (why !== null)', "if (why === '')"],
    ],
  ),
  ...mutantsOf(
    'src/experiment/budget-gate.ts',
    ['src/experiment/budget-gate.test.ts'],
    [
      [
        'gate-lets-in-after-closing',
        'MX-9',
        'await this.#open();\n    if (this.#closedBy !== null) return null;',
        'await this.#open();',
      ],
      ['gate-tries-again-among-others', 'MX-9', '      await this.#whenIdle();\n', ''],
      ['gate-never-closes', 'MX-9', 'if (isRefusal(error)) this.#closedBy ??= error;', ''],
      ['gate-starts-others-meanwhile', 'MX-9', '    await this.#open();\n', ''],
    ],
  ),
  ...mutantsOf(
    'src/experiment/arm-order.ts',
    ['src/experiment/arm-order.test.ts'],
    [
      ['arms-in-one-order', 'MX-9', '\\0${position}`)', '`)'],
      ['arms-unseeded', 'MX-9', 'seededRandom(`${seed}\\0', 'seededRandom(`'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/summary/split-by-weight.ts',
    ['src/experiment/summary/split-evenly.test.ts', 'src/experiment/summary/split-by-weight.test.ts'],
    [['remainder-is-lost', 'OB-2', '(shares[index] as bigint) + 1n', '(shares[index] as bigint) + 0n']],
  ),
  ...mutantsOf(
    'src/experiment/summary/amounts.ts',
    ['src/experiment/asking/call-account.test.ts'],
    [['unpriced-counts-as-zero', 'OB-2', 'if (amount === null) return null;', 'if (amount === null) continue;']],
  ),
  ...mutantsOf(
    'src/experiment/asking/row.ts',
    ['src/experiment/asking/row.test.ts'],
    [
      [
        'turn-arms-pay-formation',
        'OB-2',
        'const formation = readsBeliefs(cell.arm) ?',
        'const formation = cell.arm !== null ?',
      ],
      [
        'failed-row-is-priced',
        'OB-2 OB-4',
        "(asked.outcome.kind === 'answered' || asked.outcome.kind === 'failed')",
        "(asked.outcome.kind !== 'skipped')",
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/asking/outcome.ts',
    ['src/experiment/asking/ask.test.ts'],
    [['outage-counts-against-the-arm', 'OB-4', ' && !(error instanceof ProviderFailure);', ';']],
  ),
  ...mutantsOf(
    'src/experiment/asking/score-asked.ts',
    ['src/experiment/asking/row.test.ts'],
    [
      ['failed-row-has-a-score', 'OB-4', 'isAnswered ? score : null', 'score'],
      ['last-rank-of-a-turn', 'R-39', 'if (!sources.has(turn)) sources.set', 'sources.set'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/asking/row-score.ts',
    ['src/experiment/summary/summarise.test.ts'],
    [
      [
        'lost-row-counts-as-zero',
        'OB-4',
        "row.outcome.kind === 'failed' && row.outcome.cause?.own_making === true",
        "row.outcome.kind === 'failed'",
      ],
      ['own-failure-leaves-the-mean', 'OB-4', 'return row.applicable.includes(scorer) ? 0 : null;', 'return null;'],
      [
        'asked-more-often-weighs-more',
        'FB-18 RP-3',
        'grouped(scores, ({ question }) => question)',
        'grouped(scores.map((score, index) => ({ ...score, index })), ({ index }) => String(index))',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/vectors/lookup-misses.ts',
    ['src/experiment/summary/summarise.test.ts'],
    [['miss-not-degraded', 'SQ-1', "miss !== 'off'", "miss === 'off'"]],
  ),
  ...mutantsOf(
    'src/experiment/prepare-run.ts',
    ['src/experiment/prepare-run.test.ts'],
    [
      [
        'long-history-is-started',
        'FB-8',
        'if (calls <= BANK_LIMITS.calls) return [];',
        'if (calls <= 2 * BANK_LIMITS.calls) return [];',
      ],
      ['formation-key-always-needed', 'MX-4', "action === 'record' || action === 'live'", "action !== 'none'"],
    ],
  ),
  ...mutantsOf(
    'src/experiment/run-folder.ts',
    ['src/experiment/run-folder.test.ts'],
    [
      [
        'run-folder-is-shared',
        'R-15',
        'await mkdir(path, { mode: PRIVATE_FOLDER_MODE });\n        return',
        'await mkdir(path, { mode: PRIVATE_FOLDER_MODE, recursive: true });\n        return',
      ],
      ['run-folder-is-public', 'RS-4', 'await mkdir(path, { mode: PRIVATE_FOLDER_MODE });', 'await mkdir(path);'],
    ],
  ),
  ...mutantsOf('src/scoring/abstaining.ts', SCORERS, [
    ['abstention-on-answerable-scores', 'OB-6', 'return row.abstained ? 0 : null;', 'return null;'],
  ]),
  ...mutantsOf('src/scoring/abstention.ts', SCORERS, [
    [
      'unanswerable-leaves-the-denominator',
      'R-37',
      'row.label.answerable ? null : Number(declines(row))',
      'row.label.answerable || !declines(row) ? null : 1',
    ],
  ]),
  ...mutantsOf('src/scoring/exact-match.ts', SCORERS, [
    ['empty-expected-matches', 'R-38', "return answer !== '' && row", 'return row'],
  ]),
  ...mutantsOf('src/scoring/contains.ts', SCORERS, [
    ['empty-expected-is-contained', 'R-38', 'return words.length > 0 && answer', 'return answer'],
    [
      'part-of-a-word-is-contained',
      'OB-6',
      "answer.includes(` ${words.join(' ')} `)",
      "answer.includes(words.join(' '))",
    ],
  ]),
  ...mutantsOf(
    'src/scoring/ranked-evidence.ts',
    ['src/scoring/ranked-scorers.test.ts'],
    [['a-turn-counts-twice', 'R-39', 'if (seen.has(turn)) return false;', '']],
  ),
  ...mutantsOf(
    'src/scoring/ndcg.ts',
    ['src/scoring/ranked-scorers.test.ts'],
    [
      ['ndcg-above-one', 'R-39', 'Math.max(rank, index + 1)', 'rank'],
      ['ndcg-rank-two-as-one', 'R-39', '1 / Math.log2(place + 1)', '1 / Math.max(1, Math.log2(place))'],
      ['ndcg-without-bound', 'OB-6', 'places.filter((place) => place <= k)', 'places'],
    ],
  ),
  ...mutantsOf(
    'src/scoring/evidence-precision.ts',
    ['src/scoring/ranked-scorers.test.ts'],
    [
      [
        'precision-without-bound',
        'OB-6',
        'ranked.sources.filter(({ rank }) => rank <= k)',
        'ranked.sources.filter(({ rank }) => rank > 0)',
      ],
    ],
  ),
  ...mutantsOf(
    'src/scoring/reciprocal-rank.ts',
    ['src/scoring/ranked-scorers.test.ts'],
    [['reciprocal-rank-without-bound', 'OB-6', 'rank <= k && ', '']],
  ),
  ...mutantsOf('src/scoring/evidence-recall.ts', SCORERS, [
    ['recall-is-any-hit', 'R-39', 'return found.length / ranked.evidence.size;', 'return found.length > 0 ? 1 : 0;'],
    [
      'recall-off-by-one-rank',
      'R-39',
      'evidenceRecall(row, ({ rank }) => rank <= k)',
      'evidenceRecall(row, ({ rank }) => rank < k)',
    ],
  ]),
  ...mutantsOf('src/scoring/token-f1.ts', SCORERS, [
    ['words-counted-again', 'OB-6', 'available.set(stem, count - 1);', ''],
    ['multi-hop-as-one', 'OB-6', "if (category === 'multi-hop') return partsF1(answer, expected);", ''],
  ]),
  ...mutantsOf(
    'src/core/terminal-text.ts',
    ['src/core/terminal-text.test.ts'],
    [['terminal-is-steered', 'RS-4', 'text.replace(UNSAFE, ', 'text.replace(/\\u0007/g, ']],
  ),
  ...mutantsOf(
    'src/report/tables/table.ts',
    ['src/report/tables/tables.test.ts'],
    [['cell-steers-the-terminal', 'RS-4', 'terminalLine(cell, 120)', 'cell']],
  ),
  ...mutantsOf(
    'src/report/tables/problem-lines.ts',
    ['src/report/tables/run-table.test.ts'],
    [
      [
        'problem-steers-the-terminal',
        'RS-4',
        'return terminalText(`${where}: ${problem.code}: ${terminalLine(problem.message, 600)}${remedy}`);',
        'return `${where}: ${problem.code}: ${problem.message}${remedy}`;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/report/comparison/verdicts/unequal-context.ts',
    ['src/report/tables/run-notes.test.ts'],
    [['context-not-compared', 'RT-4', '> median / 10)', '> median * 10)']],
  ),
  ...mutantsOf(
    'src/cli/show-error.ts',
    ['src/cli/show-error.test.ts'],
    [
      [
        'error-steers-the-terminal',
        'RS-4',
        'return terminalText(`${place}${error.code}: ${messageOf(error)}${remedy}`);',
        'return `${place}${error.code}: ${messageOf(error)}${remedy}`;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/core/errors.ts',
    ['src/core/errors.test.ts'],
    [
      [
        'exit-codes-in-another-order',
        'CL-2',
        "  'bank',\n  'parity',\n  'budget',",
        "  'budget',\n  'bank',\n  'parity',",
      ],
      ['exit-code-of-parity', 'CL-2', 'parity: 6,', 'parity: 5,'],
    ],
  ),
];
