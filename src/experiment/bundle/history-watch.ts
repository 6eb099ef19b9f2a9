import { invalidInput } from '../../core/errors.js';
import { textOf } from '../../core/secret-scan.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { BeliefState } from '../../parity/parity.js';
import type { RunRecord } from '../run-record.js';
import type { FileWatch } from './bundle-stage.js';
import { fileText } from './file-text.js';

/** So many words in a row of the history are its text; fewer may be anybody's. */
export const WORDS_IN_A_ROW = 5;

/**
 * Sees to it that a redacted bundle holds no run of five words of a history, of its questions or of what was formed of it (RP-7): whatever was
 * forgotten to be taken out is found here. What is the exporter's own is not looked at: the matrix, its prompts and modules.
 *
 * @throws of `end`: `BUNDLE_HOLDS_HISTORY` (exit 2).
 */
export function historyWatch(record: RunRecord, isOwn: (path: string) => boolean): FileWatch {
  // What goes out is little; the histories are looked through one at a time.
  const said = new Map<string, string>();
  return {
    see: async (path, bytes) => {
      if (isOwn(path)) return;
      for (const line of fileText(path, bytes).split('\n')) for (const run of wordRuns(line)) said.set(run, path);
    },
    end: async () => {
      for (const { id } of record.manifest.fixtures) {
        const fixture = await record.fixture(id);
        if ('missing' in fixture) continue;
        for (const text of textsOf(fixture)) refuseWhereSaid(said, text);
      }
      let last: BeliefState | null = null;
      for await (const cell of record.cells()) {
        const state = await record.state(cell);
        // The cells of a block share theirs.
        if (state === null || state === last) continue;
        last = state;
        for (const text of textOf(state.tables).split('\n')) refuseWhereSaid(said, text);
      }
    },
  };
}

/** Every run of so many words of a text, without regard to case and what stands between them. */
export function wordRuns(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const runs = Math.max(0, words.length - WORDS_IN_A_ROW + 1);
  return Array.from({ length: runs }, (_, index) => words.slice(index, index + WORDS_IN_A_ROW).join(' '));
}

function* textsOf({ history, questions, labels }: Fixture): Generator<string> {
  for (const event of history) {
    if (event.kind !== 'erasure') yield event.text;
    if (event.kind === 'turn' && event.caption !== null) yield event.caption;
  }
  for (const { question } of questions) yield question;
  for (const { expected } of labels.values()) yield* expected;
}

function refuseWhereSaid(said: ReadonlyMap<string, string>, text: string): void {
  for (const run of wordRuns(text)) {
    const path = said.get(run);
    if (path !== undefined)
      throw invalidInput('BUNDLE_HOLDS_HISTORY', `${path} still holds words of a history: nothing was exported`, {
        remedy: 'take them out where the file is your own, a title say; otherwise this is a bug: please report it',
        details: { file: path },
      });
  }
}
