import { type Mutant, mutantsOf } from './mutant.js';

const LONGMEMEVAL = ['src/fixture/importers/longmemeval.test.ts', 'src/fixture/importers/longmemeval-refusals.test.ts'];

const MANY = ['src/experiment/many-fixtures.test.ts', 'src/experiment/examined-fixture.test.ts'];

/** Importers of public data, and runs of many fixtures. */
export const importMutants: readonly Mutant[] = [
  ...mutantsOf('src/fixture/importers/longmemeval-history.ts', LONGMEMEVAL, [
    [
      'sessions-keep-their-own-names',
      'FX-3',
      'const name = `s${Object.keys(session_ids).length + 1}`;',
      'const name = session.id;',
    ],
    ['sessions-in-file-order', 'FX-4', 'a.at < b.at ? -1 : a.at > b.at ? 1 : a.index - b.index', 'a.index - b.index'],
    ['a-weekday-is-passed-over', 'FX-5', 'if (time.weekday !== null)', 'if (time.weekday === undefined)'],
  ]),
  ...mutantsOf('src/fixture/importers/longmemeval-question.ts', LONGMEMEVAL, [
    ['an-abstention-expects-its-explanation', 'FX-4', 'if (!answerable) {', 'if (answerable === null) {'],
    ['later-turns-are-not-told', 'FX-7', 'if (later === 0) return;', 'if (later >= 0) return;'],
  ]),
  ...mutantsOf('src/fixture/importers/longmemeval.ts', LONGMEMEVAL, [
    ['a-question-twice', 'FX-4', 'if (before !== undefined) {', 'if (before === null) {'],
    ['two-questions-of-one-folder', 'FX-4', 'if (other !== undefined) {', 'if (other === null) {'],
  ]),
  ...mutantsOf('src/fixture/importers/staged-import.ts', LONGMEMEVAL, [
    ['a-failed-import-leaves-its-part', 'RS-1', 'await rm(this.stage.path, { recursive: true, force: true });', ''],
    ['another-import-in-the-folder', 'FX-4', 'this.#conflicts.throwIfAny();', ''],
  ]),
  ...mutantsOf('src/fixture/importers/json-array-stream.ts', LONGMEMEVAL, [
    [
      'elements-without-bound',
      'RS-4',
      'if (sinceElement <= limits.element_bytes) decoded(chunk, done);',
      'if (sinceElement > 0) decoded(chunk, done);',
    ],
    ['letters-in-place-of-bytes', 'FX-4', "'utf-8', { fatal: true }", "'utf-8', { fatal: false }"],
    ['array-without-bound', 'RS-4', 'if (next >= limits.elements)', 'if (next < 0)'],
  ]),
  ...mutantsOf('src/experiment/examined-fixture.ts', MANY, [
    [
      'histories-are-kept',
      'FX-4',
      'return { ...outline, batch_bytes, turn_texts',
      'return { ...Object.assign({ history }, outline), batch_bytes, turn_texts',
    ],
    [
      'a-fixture-changed-under-a-run',
      'FX-1',
      'if (isDeepStrictEqual(outline, before)) return fixture;',
      'if (fixture !== null) return fixture;',
    ],
  ]),
  ...mutantsOf('src/experiment/run-result.ts', MANY, [
    ['rows-are-kept', 'FX-4', 'rows: rows.map(summaryRow),', 'rows,'],
  ]),
];
