import { type Mutant, mutantsOf } from './mutant.js';

const UNPACKING = ['src/experiment/bundle/unpack-bundle.test.ts'];
const EXPORTING = ['src/experiment/bundle/export-bundle.test.ts'];
const BYTES = ['test/property/bundle-bytes.test.ts'];
const WHOLE = ['test/end-to-end/bundles.test.ts'];
const ROOM = 'src/experiment/bundle';

/** Bundles: what is unpacked, what is checked, what is taken out (RP-7, RS-4). */
export const bundleMutants: readonly Mutant[] = [
  ...mutantsOf(`${ROOM}/unpack-bundle.ts`, BYTES, [
    [
      'bundle-without-seal',
      'RP-7',
      'if (!buffer.equals(sealOf(found)))',
      'if (!buffer.equals(sealOf(found)) && body < 0)',
    ],
  ]),
  ...mutantsOf(`${ROOM}/unpack-bundle.ts`, UNPACKING, [
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
      'said = said.replaceAll(path, name);',
      "said = said.replaceAll(path, path === '' ? name : path);",
    ],
  ]),
  ...mutantsOf(`${ROOM}/redaction.ts`, WHOLE, [
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
  ...mutantsOf(`${ROOM}/put-workspace.ts`, WHOLE, [
    [
      'redaction-keeps-histories',
      'RP-7',
      'for (const name of redacts ? [manifest] :',
      'for (const name of redacts === null ? [manifest] :',
    ],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-bundle.ts`, WHOLE, [
    ['bundle-holds-anything', 'RS-4', 'if (!isKnown)', 'if (path === null)'],
    [
      'bundle-matrix-elsewhere',
      'RS-4',
      'if (record.manifest.matrix.path !==',
      'if (manifest === null && record.manifest.matrix.path !==',
    ],
    ['bundle-fixture-of-a-path', 'RS-4', 'if (!isSafeFixture(id))', "if (id === '')"],
  ]),
  ...mutantsOf(`${ROOM}/checks/row-bindings.ts`, WHOLE, [
    ['bundle-row-of-another-corpus', 'RP-7', "same('corpus', row.corpus, facts?.corpus);", ''],
    ['bundle-row-of-another-state', 'RP-7', "same('state', row.state, live?.state ?? formed?.state);", ''],
  ]),
  ...mutantsOf(`${ROOM}/checks/row-request.ts`, WHOLE, [
    ['bundle-row-of-another-context', 'RP-7', 'if (row.context !== null)', 'if (row.context === undefined)'],
    [
      'bundle-row-without-request',
      'RP-7',
      "if (row.outcome.kind === 'answered' && row.strategy !== 'file')",
      "if (row.outcome.kind === 'refused')",
    ],
  ]),
  ...mutantsOf(`${ROOM}/checks/row-scores.ts`, WHOLE, [
    ['bundle-scores-unreckoned', 'RP-7', 'if (found === expected) continue;', 'if (found !== undefined) continue;'],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-ledger.ts`, WHOLE, [
    ['bundle-ledger-unsummed', 'RP-7', 'if (found !== expected)', 'if (found === undefined)'],
  ]),
  ...mutantsOf(`${ROOM}/checks/arm-sums.ts`, WHOLE, [
    ['bundle-means-unchecked', 'RP-7', 'if (!isSame(found, expected))', 'if (found === undefined)'],
  ]),
  ...mutantsOf(`${ROOM}/checks/check-matrix-file.ts`, WHOLE, [
    ['bundle-matrix-file-unread', 'RP-7', 'if (text === writtenMatrix(record.matrix))', 'if (text !== null)'],
  ]),
];
