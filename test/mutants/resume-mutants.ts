import { type Mutant, mutantsOf } from './mutant.js';

const RESUME = ['src/experiment/resuming/resume-run.test.ts'];
const LOST = ['src/experiment/resuming/resume-lost.test.ts'];
const EXTEND = ['src/experiment/resuming/extend-run.test.ts'];
const PACKAGES = ['src/experiment/program-packages.test.ts'];
const PROGRAM = ['src/experiment/program-digest.test.ts'];
const HOME = ['src/experiment/ledger-home.test.ts'];
const LOCK = ['src/core/process-lock.test.ts'];

/** Runs that are continued and added to. */
export const resumeMutants: readonly Mutant[] = [
  ...mutantsOf('src/experiment/program-digest.ts', PROGRAM, [
    ['statistics-are-no-part-of-the-program', 'R-09', 'report(?!\\/statistics)', 'report'],
  ]),
  ...mutantsOf('src/experiment/running-cell.ts', RESUME, [
    ['durable-row-is-asked-again', 'OB-5', 'this.#rows = new Map(committed.rows);', 'this.#rows = new Map();'],
  ]),
  ...mutantsOf('src/experiment/running-cell.ts', LOST, [
    [
      'lost-row-is-asked-unasked',
      'OB-5 R-03',
      'return row === undefined || (this.block.retryFailed && isLost(row));',
      'return row === undefined || isLost(row);',
    ],
    [
      'two-states-share-a-cell',
      'FB-16 OB-5',
      'row.state !== cell.state.digest',
      "row.state === 'sha256:' && cell.state.digest === null",
    ],
  ]),
  ...mutantsOf('src/experiment/running-cell.ts', EXTEND, [
    ['places-of-the-old-load', 'OB-8', '[{ ...row, position, load, labels }]', '[row]'],
  ]),
  ...mutantsOf('src/experiment/resuming/run-changes.ts', RESUME, [
    [
      'packages-of-a-run-may-change',
      'R-09',
      'packageDifferences(tool.packages, programPackages())',
      'packageDifferences(tool.packages, tool.packages)',
    ],
  ]),
  ...mutantsOf('src/core/installed-packages.ts', PACKAGES, [
    [
      'packages-of-packages-are-not-seen',
      'R-09',
      'for (const dependency of Object.keys(dependencies ?? {}))',
      'for (const dependency of Object.keys(dependencies ?? {}).slice(0, 0))',
    ],
  ]),
  ...mutantsOf('src/experiment/resuming/committed-rows.ts', LOST, [
    ['own-failure-is-tried-again', 'OB-4 OB-5', 'row.outcome.cause?.own_making !== true', 'row.answer === null'],
  ]),
  ...mutantsOf('src/experiment/resuming/committed-rows.ts', RESUME, [
    ['question-has-two-results', 'OB-5 R-08', 'lastResults(inFile, () => false)', 'lastResults(inFile, () => true)'],
    ['row-of-another-run', 'OB-5 R-15', 'row.run !== folder.id || ', ''],
  ]),
  ...mutantsOf(
    'src/experiment/resuming/committed-rows.ts',
    ['src/experiment/resuming/committed-rows.test.ts'],
    [
      [
        'lost-try-spoils-the-finalised-row',
        'OB-5 R-03',
        'lastResults([...settled, ...committed], follows)',
        'lastResults([...settled, ...read(journalPath, journal ?? [])], follows)',
      ],
    ],
  ),
  ...mutantsOf('src/experiment/resuming/past-rows.ts', RESUME, [
    [
      'row-that-is-never-asked-is-passed-over',
      'OB-5',
      '!asked.has(row.question) || row.repeat > load.repeats',
      'false',
    ],
  ]),
  ...mutantsOf('src/experiment/resuming/past-rows.ts', LOST, [
    ['older-ledger-is-taken', 'LG-12 OB-5', 'paid.calls <= (booked?.sends ?? 0) &&', 'paid.calls >= 0 ||'],
  ]),
  ...mutantsOf('src/experiment/ledger-home.ts', HOME, [
    ['ledger-at-another-home', 'LG-1 LG-11', 'canonicalJson(bound as JsonValue) === canonicalJson(home)', 'true'],
    ['account-of-another-run', 'LG-1 LG-11', 'found === null || found.run === folder.id;', 'true;'],
  ]),
  ...mutantsOf(
    'src/experiment/find-run.ts',
    ['src/experiment/find-run.test.ts'],
    [
      [
        'broken-manifest-is-no-run',
        'CL-1 OB-5',
        'if (!(await isRun(path).catch(() => false))) continue;',
        "if (!(await readBeginning(join(path, 'run.json')).then(() => true, () => false))) continue;",
      ],
    ],
  ),
  ...mutantsOf('src/experiment/asking/row.ts', LOST, [
    ['earlier-try-is-free', 'OB-5 R-08', 'if (lost === undefined) return row;', 'if (lost !== null) return row;'],
  ]),
  ...mutantsOf(
    'src/experiment/asking/outcome.ts',
    ['src/experiment/asking/ask.test.ts'],
    [
      [
        'lost-database-fails-the-question',
        'RS-3',
        "if (kind === 'database') return",
        "if (kind === 'difference') return",
      ],
    ],
  ),
  ...mutantsOf('src/experiment/resuming/resume-run.ts', RESUME, [
    [
      'resumed-under-another-matrix',
      'LG-10 OB-5',
      'if (changed.length === 0) return;',
      'if (changed.length >= 0) return;',
    ],
    [
      'complete-run-is-run-again',
      'OB-5',
      "if (manifest.status === 'complete') {",
      "if (manifest.status === 'refused') {",
    ],
  ]),
  ...mutantsOf('src/experiment/resuming/run-changes.ts', RESUME, [
    ['resumed-on-other-fixtures', 'OB-5 FX-1', 'if (faults.length > 0) throw', 'if (faults.length > 1000) throw'],
    ['resumed-on-another-bank', 'OB-5', 'if (found === bank) continue;', "if (found !== '') continue;"],
    [
      'resumed-by-another-program',
      'OB-5 R-09',
      'if (changed.length === 0) return;',
      'if (changed.length >= 0) return;',
    ],
  ]),
  ...mutantsOf('src/experiment/resuming/continued-run.ts', RESUME, [
    ['resumed-with-a-lower-limit', 'LG-10', 'if (asked >= present) return asked;', 'if (asked >= 0n) return asked;'],
    ['any-run-is-the-latest', 'CL-1', "options.run, 'run@1');", 'options.run);'],
  ]),
  ...mutantsOf('src/matrix/resolved-matrix-file.ts', RESUME, [
    ['resolved-matrix-is-not-checked', 'MX-7 OB-5', 'if (found !== digest) throw', "if (found === 'sha256:') throw"],
  ]),
  ...mutantsOf('src/experiment/resuming/extend-run.ts', EXTEND, [
    ['extension-changes-an-arm', 'OB-8', 'if (refused.length > 0)', 'if (refused.length > 1000)'],
    ['extension-drops-a-question', 'OB-8', 'if (lost.length > 0) fewer', 'if (lost.length > 1000) fewer'],
  ]),
  ...mutantsOf('src/experiment/resuming/finished-run.ts', EXTEND, [
    ['unfinished-run-is-extended', 'OB-8', "manifest.status !== 'running' && ", ''],
  ]),
  ...mutantsOf('src/experiment/resuming/kept-cell.ts', EXTEND, [
    [
      'cell-of-a-smaller-load-is-kept',
      'OB-8 OB-2',
      'const isWhole = finalised && rows.length === block.load.length &&',
      'const isWhole = finalised &&',
    ],
  ]),
  ...mutantsOf('src/core/process-lock.ts', LOCK, [
    ['two-holders', 'OB-5', 'if (holder !== null) throw refusals.inUse(holder);', ''],
    ['dead-holder-keeps-it', 'OB-5', 'systemProcesses.isAlive(holder) === false ? null : holder', 'holder'],
  ]),
  ...mutantsOf('src/experiment/run-block.ts', RESUME, [
    ['skipped-is-told-as-asked', 'CL-1', '.askOne(task, question))) return;', '.askOne(task, question))) done += 0;'],
  ]),
];
