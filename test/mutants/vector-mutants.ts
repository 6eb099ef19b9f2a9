import { type Mutant, mutantsOf } from './mutant.js';

const BYTES = ['src/bank/vector-bank.test.ts'];
const PENDING = ['src/bank/pending-vectors.test.ts'];
const RUN = ['test/end-to-end/vector-banks.test.ts'];

/** Vector banks: bytes, identity, one bank an identity, pinned questions. */
export const vectorMutants: readonly Mutant[] = [
  ...mutantsOf('src/bank/vector-bank-format.ts', BYTES, [
    ['vectors-big-endian', 'VB-2', 'values.writeFloatLE(value,', 'values.writeFloatBE(value,'],
    [
      'vector-values-unchecked',
      'VB-2',
      'if (digestBytes(values) !== header.values) throw',
      'if (digestBytes(values) === header.digest) throw',
    ],
    ['vector-header-unchecked', 'VB-2', 'if (computed !== stated) {', 'if (computed === null) {'],
    ['vector-name-unchecked', 'VB-2', 'name.digest12 !== shortDigest(stated) ||', ''],
    ['vector-name-of-other-unit', 'VB-2', '|| name.unit !== result.data.identity.unit) {', ') {'],
    [
      'vector-texts-unbound',
      'VB-1',
      'if (textsDigest(header.items) !== header.identity.texts) throw',
      'if (header.items === null) throw',
    ],
    [
      'vector-text-twice',
      'VB-1',
      'if (items.size + queries.size !== count) throw',
      'if (items.size + queries.size > count) throw',
    ],
    ['vector-infinite-read', 'VB-2', 'if (!vector.every(Number.isFinite)) throw', 'if (vector.length === 0) throw'],
    ['vector-infinite-sealed', 'VB-2', 'if (!Number.isFinite(value)) throw', 'if (value === null) throw'],
    ['vector-length-sealed', 'VB-2', 'if (vector.length !== dimensions) throw', 'if (vector.length === 0) throw'],
  ]),
  ...mutantsOf('src/bank/vector-bank-folder.ts', BYTES, [
    ['vector-bank-ambiguous', 'VB-1', 'if (fitting.length > 1) throw', 'if (fitting.length > 9) throw'],
    [
      'vector-bank-of-other-fixture',
      'VB-1',
      'if (name?.fixture !== fixture || name.unit',
      'if (name === null || name.unit',
    ],
    [
      'vector-bank-beside-another',
      'VB-2 R-47',
      'if (found !== null) return { ...',
      'if (found?.path === folder) return { ...',
    ],
    [
      'vector-pin-that-differs',
      'VB-1',
      'const found = fitting.find(({ header }) => header.digest === pinned);',
      'const found = [...fitting, ...others.map(({ file }) => file)].find(({ header }) => header.digest === pinned);',
    ],
  ]),
  ...mutantsOf(
    'src/memory/query-preparation/query-preparer.ts',
    ['src/memory/query-preparation/query-preparer.test.ts'],
    [
      [
        'preload-of-anything',
        'VB-3 SQ-7',
        'if (bar !== null) return bar.miss;\n    const [checked]',
        'if (bar !== null && bar.withheld === null) return bar.miss;\n    const [checked]',
      ],
      [
        'preload-unchecked',
        'VB-3',
        'const [checked] = checkedVectors([vector], 1, this.#embedder.tuple);',
        'const [checked] = [vector];',
      ],
    ],
  ),
  ...mutantsOf('src/experiment/vectors/item-vectors.ts', RUN, [
    [
      'bank-usage-forgotten',
      'VB-3 OB-2',
      'return this.#bank === null ? this.#live : this.#bank.header.usage;',
      'return this.#bank === null ? this.#live : NO_USAGE;',
    ],
  ]),
  ...mutantsOf(
    'src/experiment/vectors/query-pins.ts',
    ['src/experiment/vectors/query-pins.test.ts'],
    [
      [
        'pins-not-read-again',
        'VB-3 OB-5',
        'if (await isThere(path)) for (const line',
        'if (path === null) for (const line',
      ],
    ],
  ),
  ...mutantsOf('src/experiment/planning/plan-vectors.ts', RUN, [
    ['replay-only-embeds', 'VB-1', "if (settings.bank === 'replay-only') throw", "if (settings.bank === 'off') throw"],
  ]),
  ...mutantsOf(
    'src/experiment/vectors/run-vector-banks.ts',
    ['src/experiment/resuming/resume-vectors.test.ts'],
    [
      ['resumed-on-another-vector-bank', 'VB-1 OB-5', 'if (found === bank) continue;', 'if (found !== null) continue;'],
      [
        'resumed-without-its-vector-bank',
        'VB-1 OB-5',
        'if (found === bank) continue;',
        'if (found === null || found === bank) continue;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/vectors/searched-texts.ts',
    ['src/experiment/vectors/searched-texts.test.ts'],
    [
      [
        'erased-turn-embedded',
        'VB-1',
        "else if (event.kind === 'erasure') turns.delete(event.of);",
        "else if (event.kind === 'erasure') continue;",
      ],
      [
        'outdated-belief-embedded',
        'VB-1',
        ".filter((belief) => !outdated.has(keyOf(belief, 'id')))",
        '.filter((belief) => outdated !== null || belief)',
      ],
    ],
  ),
  ...mutantsOf('src/bank/vector-bank-bound.ts', BYTES, [
    ['vectors-beyond-the-limit', 'VB-2', 'if (bytes <= VECTOR_BANK_LIMIT_BYTES) return;', 'if (bytes >= 0) return;'],
    ['vector-bound-without-questions', 'VB-2', 'const values = (items + queries) *', 'const values = items *'],
  ]),
  ...mutantsOf('src/bank/vector-bank-format.ts', BYTES, [
    ['vectors-sealed-beyond-the-limit', 'VB-2', 'if (size > VECTOR_BANK_LIMIT_BYTES) throw', 'if (size < 0) throw'],
    [
      'vectors-read-beyond-the-limit',
      'VB-2',
      'if (bytes.byteLength > VECTOR_BANK_LIMIT_BYTES) throw vectorBankTooLarge(path,',
      'if (bytes.byteLength < 0) throw vectorBankTooLarge(path,',
    ],
  ]),
  ...mutantsOf('src/bank/pending-vectors-format.ts', PENDING, [
    ['pending-vectors-changed', 'VB-2', 'if (digestJson(content) !== digest) throw', 'if (digest === null) throw'],
    [
      'pending-batch-anywhere',
      'VB-2 SQ-9',
      'if (line.first !== this.#items.length)',
      'if (line.first > this.#items.length)',
    ],
    ['pending-batch-beyond', 'VB-2', 'if (line.first + line.vectors.length > items)', 'if (line.first > items)'],
    [
      'pending-usage-lost',
      'VB-2 LG-4',
      'this.#usage === null || line.usage === null ? null :',
      'line.usage === null ? this.#usage : this.#usage === null ? null :',
    ],
  ]),
  ...mutantsOf('src/bank/pending-vectors.ts', PENDING, [
    [
      'pending-vectors-of-another',
      'VB-1 VB-2',
      'if (differs.length === 0) return content;',
      'if (differs.length >= 0) return content;',
    ],
    [
      'unsound-vector-kept',
      'VB-2',
      'if (vector.length === dimensions && vector.every(Number.isFinite)) return;',
      'if (dimensions > 0) return;',
    ],
    ['pending-vectors-sealed-early', 'VB-2', 'if (this.cursor !== texts.length)', 'if (this.cursor > texts.length)'],
  ]),
  ...mutantsOf('src/bank/unfinished-vectors.ts', PENDING, [
    [
      'finished-vectors-abandoned',
      'VB-2 FB-9',
      'if (content !== null && (await isSealed(pending, content))) {',
      'if (content !== null && content.batches < 0) {',
    ],
    [
      'recorded-vectors-abandoned',
      'VB-2 FB-13',
      "if ((await vectorRecorder(path)) !== null) return 'recording';",
      "if ((await vectorRecorder(path)) !== null) return 'interrupted';",
    ],
  ]),
  ...mutantsOf(
    'src/experiment/vectors/index-job.ts',
    ['test/crash/vector-recording.test.ts'],
    [['index-from-the-start', 'VB-2 SQ-9', 'texts.slice(pending.cursor)', 'texts.slice(0)']],
  ),
  ...mutantsOf(
    'src/experiment/vectors/fixture-vectors.ts',
    ['test/crash/vector-recording.test.ts'],
    [['pending-queries-forgotten', 'VB-2 VB-3', 'this.queries.pin(pending.before.queries);', '']],
  ),
  ...mutantsOf(
    'src/experiment/vectors/only-recorder.ts',
    ['src/experiment/vectors/only-recorder.test.ts'],
    [
      [
        'recorders-of-one-process-at-once',
        'VB-2 FB-13',
        'const turn = before.then(() => underLock(pending, wait, work));',
        'const turn = Promise.resolve().then(() => (before === null ? underLock(pending, wait, work) : work()));',
      ],
      [
        'recorder-waits-for-ever',
        'FB-13',
        '|| clock.monotonicMs() >= deadline) throw error;',
        '|| clock.monotonicMs() < 0) throw error;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/planning/plan-vectors.ts',
    ['test/crash/vector-recording.test.ts'],
    [
      [
        'kept-vectors-planned-again',
        'MX-6 VB-2',
        'if (size === null || kept === null) return size;',
        'if (size === null || kept === null || kept.items > 0) return size;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/reproducing/reproduce.ts',
    ['src/experiment/vectors/differing-vectors.test.ts'],
    [['reproduced-without-its-pins', 'VB-3 RP-1', 'kept.pinned.length > 0', 'kept.pinned.length < 0']],
  ),
  ...mutantsOf(
    'src/experiment/reproducing/narrowed-run.ts',
    ['src/experiment/vectors/differing-vectors.test.ts'],
    [
      [
        'pins-of-the-past-not-counted',
        'VB-3 RP-1',
        'queries: [...plan.found.queries, ...pinned] },',
        'queries: [...plan.found.queries] },',
      ],
    ],
  ),
];
