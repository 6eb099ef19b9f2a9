import { type Mutant, mutantsOf } from './mutant.js';

const UNPACKING = ['src/experiment/bundle/unpack-bundle.test.ts'];
const EXPORTING = ['src/experiment/bundle/export-bundle.test.ts'];
const BYTES = ['test/property/bundle-bytes.test.ts'];
const CHECKING = ['src/experiment/bundle/checks/check-bundle.test.ts'];
const TAMPERING = ['src/experiment/bundle/checks/tampered-bundle.test.ts'];
const WHOLE = ['test/end-to-end/bundles.test.ts'];
const ROOM = 'src/experiment/bundle';

/** Bundles: what is unpacked, what is checked, what is taken out (RP-7, RS-4). */
export const bundleMutants: readonly Mutant[] = [
  ...mutantsOf(`${ROOM}/export-bundle.ts`, EXPORTING, [
    [
      'bundle-of-a-killed-rescoring',
      'RP-6',
      'if (!isHalfScored(manifest)) return;',
      'if (isHalfScored(manifest)) return;',
    ],
  ]),
  ...mutantsOf(`${ROOM}/unpack-bundle.ts`, BYTES, [
    ['bundle-without-seal', 'RP-7', 'if (!buffer.equals(seal))', 'if (!buffer.equals(seal) && body < 0)'],
  ]),
  ...mutantsOf(`${ROOM}/unpack-bundle.ts`, UNPACKING, [
    ['bundle-with-kinds-unknown', 'RS-4', "parser.on('ignoredEntry',", "parser.on('ignoredEntry ',"],
    ['bundle-bomb', 'RS-4', 'if (unpacked > writer.mostBytes)', 'if (unpacked < 0)'],
    ['bundle-goes-on-behind-its-end', 'RS-4', 'if (behind > MOST_BEHIND)', 'if (behind < 0)'],
  ]),
  ...mutantsOf(`${ROOM}/entry-writer.ts`, UNPACKING, [
    ['bundle-with-links', 'RS-4', "if (type !== 'File')", "if (type === 'Directory')"],
    ['bundle-in-any-order', 'RS-4', 'if (listed?.path !== path)', 'if (listed === undefined)'],
    ['bundle-of-another-size', 'RP-7', 'if (listed.bytes !== size)', 'if (listed.bytes < 0)'],
    ['bundle-of-other-bytes', 'RP-7', 'if (found !== listed.sha256)', "if (found === '')"],
    ['bundle-without-its-last-files', 'RP-7', 'if (missing !== undefined)', 'if (missing === null)'],
    ['bundle-lists-twice', 'RS-4', 'if (twice !== undefined)', 'if (twice === null)'],
  ]),
  ...mutantsOf(`${ROOM}/bundle-format.ts`, UNPACKING, [
    ['bundle-climbs', 'RS-4', "!['', '.', '..', '.env'].includes(part)", "!['', '.', '.env'].includes(part)"],
    [
      'bundle-sets-the-environment',
      'RS-4',
      "!['', '.', '..', '.env'].includes(part)",
      "!['', '.', '..'].includes(part)",
    ],
  ]),
  ...mutantsOf(`${ROOM}/secret-watch.ts`, EXPORTING, [
    ['bundle-scans-no-secret', 'RS-4', 'if (found.length === 0) return;', 'if (found.length >= 0) return;'],
  ]),
  ...mutantsOf(`${ROOM}/history-watch.ts`, EXPORTING, [
    ['bundle-lets-history-pass', 'RP-7', 'if (path !== undefined)', 'if (path === null)'],
  ]),
  ...mutantsOf(`${ROOM}/portable-text.ts`, EXPORTING, [
    [
      'bundle-names-folders',
      'RP-7',
      'said = said.replace(path, () => name);',
      "said = said.replace(path, (found) => (found === '' ? name : found));",
    ],
  ]),
  ...mutantsOf(`${ROOM}/redaction.ts`, CHECKING, [
    [
      'redaction-guessable',
      'RP-7',
      "return createHmac('sha256', key).update(text).digest('hex');",
      "return createHmac('sha256', key.slice(0, 0)).update(text).digest('hex').replace(/.*/s, digestJson(text).slice(7));",
    ],
    [
      'redaction-keeps-answers',
      'RP-7',
      'answer: row.answer === null ? null : this.#text(fixture, row.answer),',
      'answer: row.answer,',
    ],
    [
      'redaction-keeps-requests',
      'RP-7',
      'request: row.request === null ? null : this.#digest(fixture, row.request),',
      'request: row.request,',
    ],
  ]),
  ...mutantsOf(`${ROOM}/put-workspace.ts`, EXPORTING, [
    [
      'redaction-keeps-histories',
      'RP-7',
      'for (const name of redacts ? [manifest] :',
      'for (const name of redacts === null ? [manifest] :',
    ],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-bundle.ts`, TAMPERING, [
    ['bundle-holds-anything', 'RS-4', 'if (!isKnown)', 'if (path === null)'],
    [
      'bundle-matrix-elsewhere',
      'RS-4',
      'if (record.manifest.matrix.path !==',
      'if (manifest === null && record.manifest.matrix.path !==',
    ],
    ['bundle-fixture-of-no-file-name', 'RS-4', 'if (!isSafeFixture(id))', "if (id === '')"],
  ]),
  ...mutantsOf(`${ROOM}/checks/row-bindings.ts`, TAMPERING, [
    ['bundle-row-of-another-corpus', 'RP-7', "same('corpus', row.corpus, facts?.corpus);", ''],
    ['bundle-row-of-another-state', 'RP-7', "same('state', row.state, live?.state ?? formed?.state);", ''],
  ]),
  ...mutantsOf(`${ROOM}/checks/row-request.ts`, TAMPERING, [
    ['bundle-row-of-another-context', 'RP-7', 'if (row.context !== null)', 'if (row.context === undefined)'],
    [
      'bundle-row-without-request',
      'RP-7',
      "if (row.outcome.kind === 'answered' && row.strategy !== 'file')",
      "if (row.outcome.kind === 'refused')",
    ],
  ]),
  ...mutantsOf(`${ROOM}/checks/row-scores.ts`, TAMPERING, [
    ['bundle-scores-unreckoned', 'RP-7', 'if (found === expected) continue;', 'if (found !== undefined) continue;'],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-ledger.ts`, WHOLE, [
    ['bundle-ledger-unsummed', 'RP-7', 'if (found !== expected)', 'if (found === undefined)'],
  ]),
  ...mutantsOf(`${ROOM}/checks/arm-sums.ts`, CHECKING, [
    ['bundle-means-unchecked', 'RP-7', 'if (!isSame(found, expected))', 'if (found === undefined)'],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-matrix-file.ts`, WHOLE, [
    [
      'bundle-matrix-file-unread',
      'RP-7',
      'if (text === writtenMatrix(record.matrix))',
      'if (text === writtenMatrix(record.matrix) || text !== null)',
    ],
  ]),
  ...mutantsOf(`${ROOM}/checks/arm-figures.ts`, CHECKING, [
    ['bundle-figures-unchecked', 'RP-7', 'if (isSameProgram) findings', "if (isSameProgram && at === '') findings"],
    ['bundle-accuses-another-program', 'RP-7', 'program === programDigest();', "program !== '';"],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-manifest.ts`, CHECKING, [
    [
      'bundle-of-other-arms',
      'RP-7',
      'names(result.arms.map(({ arm }) => arm));',
      'names(matrix.arms.map(({ name }) => name));',
    ],
    [
      'bundle-part-of-a-whole',
      'RP-7',
      "if (result.status === 'complete' && part !== undefined)",
      "if (result.status === 'refused' && part !== undefined)",
    ],
    ['bundle-of-other-prices', 'RP-7', 'differences(prices, matrix.prices)', 'differences(prices, prices)'],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-named-parts.ts`, CHECKING, [
    [
      'bundle-of-another-prompt',
      'RP-7',
      "if ((await readFile(file, 'utf8')) !== part.text)",
      "if ((await readFile(file, 'utf8')) === '')",
    ],
    ['bundle-of-another-module', 'RP-7', 'if (digest !== null) findings', 'if (digest === null) findings'],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-unnamed-files.ts`, CHECKING, [
    ['bundle-tells-no-strangers', 'RP-7', 'if (left.length === 0) return;', 'if (left.length >= 0) return;'],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-bundle.ts`, CHECKING, [
    [
      'bundle-redacted-in-name',
      'RP-7',
      'if (manifest.redaction !== null && isTakenOut(path))',
      'if (manifest.redaction === undefined && isTakenOut(path))',
    ],
  ]),
  ...mutantsOf(`${ROOM}/verify-bundle.ts`, CHECKING, [
    [
      'bundle-speaks-for-itself',
      'RP-7',
      'bundleStatements(manifest.redaction !== null).does_not_show',
      'manifest.does_not_show',
    ],
  ]),
  ...mutantsOf('src/module/module-files.ts', CHECKING, [
    ['bundle-module-reads-outside', 'RS-4', "!relative(within, path).split(sep).includes('..');", 'path !== within;'],
  ]),
  ...mutantsOf(
    `${ROOM}/redaction.ts`,
    [`${ROOM}/redaction.test.ts`],
    [
      [
        'redaction-keeps-lessons',
        'RP-7 LE-6',
        'row.lessons.map((lesson) => this.#digest(fixture, lesson))',
        'row.lessons',
      ],
      ['redaction-of-first-banks-alone', 'RP-7 FB-18', 'fixtureOfBlock(String(fixture))', 'String(fixture)'],
      [
        'redaction-keeps-projection',
        'RP-7 LE-6',
        'lesson_projection: this.#projection(manifest.lesson_projection),',
        '',
      ],
    ],
  ),
  ...mutantsOf(`${ROOM}/portable-text.ts`, EXPORTING, [
    ['bundle-names-addresses', 'RP-7', "text.replace(FILE_URL, '')", 'text'],
  ]),
  ...mutantsOf(`${ROOM}/put-run.ts`, EXPORTING, [
    ['bundle-models-said-twice', 'RP-7 PR-4', 'row.reported_models.map(say)', 'row.reported_models'],
  ]),
];
