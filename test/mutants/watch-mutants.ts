import { type Mutant, mutantsOf } from './mutant.js';

const FOLDER = 'src/memory/query-preparation';
const PREPARATION = [`${FOLDER}/query-preparer.test.ts`];
const WATCH = [`${FOLDER}/preparation-watch.test.ts`];
const HTTP = ['test/contract/prepared-over-http.test.ts'];

/** The deadline, the checks, the clean-up and the one request of a preparation, and answers that cannot be used (SQ-4, SQ-8, SQ-10). */
export const watchMutants: readonly Mutant[] = [
  ...mutantsOf(`${FOLDER}/preparation-watch.ts`, WATCH, [
    [
      'deadline-a-moment-late',
      'SQ-8',
      'clock.monotonicMs() + PREPARATION_TIMES.deadline_ms',
      'clock.monotonicMs() + PREPARATION_TIMES.deadline_ms + 1',
    ],
    [
      'deadline-a-moment-early',
      'SQ-8',
      'this.#clock.monotonicMs() >= this.#deadlineMs',
      'this.#clock.monotonicMs() >= this.#deadlineMs - 1',
    ],
    ['context-unwatched', 'SQ-4 SQ-8', "else if (!this.#holds()) this.#end('context-changed');", ''],
    ['checks-once', 'SQ-8', 'if (this.look() === null) this.#setAlarm();', 'this.look();'],
    ['cleanup-without-bound', 'SQ-8', 'resolve(null)', '{}'],
    ['cancellation-untold', 'SQ-8', 'this.#over.abort(new Error(', 'void (new Error('],
  ]),
  ...mutantsOf(`${FOLDER}/prepared-vectors.ts`, WATCH, [
    [
      'late-answer-enters-cache',
      'SQ-8 SQ-4',
      'if (result === null || ended !== null) return',
      'if (result === null) return',
    ],
    [
      'failure-is-tried-again',
      'SQ-8',
      "if (kind !== 'provider') throw error;",
      "if (kind !== 'provider') throw error;\n    void embedder.embed(texts, watch.signal).catch(() => {});",
    ],
    [
      'stop-cancels-a-request',
      'CL-3 SQ-8',
      'embedder.embed(texts, watch.signal)',
      'embedder.embed(texts, AbortSignal.any([watch.signal, stop]))',
    ],
    [
      'malformed-answer-kept',
      'SQ-10',
      'if (problem === null) return vectors;',
      'if (problem !== undefined) return vectors;',
    ],
  ]),
  ...mutantsOf(
    `${FOLDER}/prepared-vectors.ts`,
    ['src/experiment/deliberate-queries.test.ts'],
    [
      [
        'stopped-request-is-a-failure',
        'CL-3 OB-5',
        'if (stop.aborted) throw interrupted(',
        'if (stop.aborted) throw error; if (texts.length === 0) throw interrupted(',
      ],
    ],
  ),
  ...mutantsOf(`${FOLDER}/prepared-vectors.ts`, PREPARATION, [
    ['owner-ceiling-unnamed', 'SQ-9', 'miss: `refused:${error.ceiling}`', "miss: 'unprepared'"],
  ]),
  ...mutantsOf(`${FOLDER}/query-preparer.ts`, WATCH, [
    ['preparations-side-by-side', 'SQ-8', 'if (this.#isPreparing)\n', 'if (this.#isPreparing && queries.length > 9)\n'],
    [
      'sent-after-the-deadline',
      'SQ-8',
      'if (findings === null || ended !== null) return',
      'if (findings === null) return',
    ],
  ]),
  ...mutantsOf(`${FOLDER}/query-preparer.ts`, PREPARATION, [
    [
      'lookup-sends',
      'SQ-1',
      'const vector = this.#cache.get(key);',
      'const vector = this.#cache.get(key);\n    void this.#embedder.embed([query.question], new AbortController().signal);',
    ],
    [
      'questions-kept',
      'SQ-5',
      '    this.#isPreparing = true;\n',
      '    this.#isPreparing = true;\n    Object.assign(this, { before: queries });\n',
    ],
  ]),
  ...mutantsOf(`${FOLDER}/query-identity.ts`, PREPARATION, [
    ['subjects-are-not-embedded', 'SQ-7', '[query.question, ...query.subjects]', '[query.question]'],
  ]),
  ...mutantsOf(
    'src/provider/metered.ts',
    ['test/contract/prepared-under-admission.test.ts'],
    [
      [
        'vector-before-its-settlement',
        'SQ-10',
        'await this.#ledger.settle(reservation, attributed);',
        'void this.#ledger.settle(reservation, attributed).catch(() => {});',
      ],
    ],
  ),
  ...mutantsOf(
    'src/provider/sound-vectors.ts',
    ['src/provider/metered.test.ts'],
    [
      [
        'zero-vector-settles',
        'SQ-10',
        'if (vector.every((value) => value === 0)) return',
        'if (vector.length === 0) return',
      ],
      ['malformed-answer-settles', 'SQ-10', 'if (problem !== null) throw', 'if (problem === undefined) throw'],
      ['vectors-of-any-length', 'PR-3', 'if (vector.length !== dimensions)', 'if (vector.length < 0)'],
      ['vectors-out-of-range', 'PR-3', 'if (!vector.every(Number.isFinite)) return', 'if (vector.length < 0) return'],
    ],
  ),
  ...mutantsOf(
    'src/provider/http/answer.ts',
    ['test/contract/embedding-adapters.test.ts'],
    [
      [
        'malformed-vectors-billed-by-usage',
        'SQ-10',
        'shape.bills_failures === false ? null : usage(true)',
        'usage(true)',
      ],
    ],
  ),
  ...mutantsOf('src/experiment/providers.ts', HTTP, [
    [
      'deadline-stops-at-the-provider',
      'SQ-8',
      "attribution.stage === 'query' ? sent : finishingEmbeddings(sent)",
      'finishingEmbeddings(sent)',
    ],
  ]),
];
