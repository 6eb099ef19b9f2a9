import { databaseUnavailable, messageOf, type RecallMatrixError } from '../../core/errors.js';

const LAST_WORDS_CHARACTERS = 1500;

/** The end of what a server said, cut at a line where that is possible. */
function lastWords(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= LAST_WORDS_CHARACTERS) return trimmed;
  const tail = trimmed.slice(-LAST_WORDS_CHARACTERS);
  return `…${tail.slice(tail.indexOf('\n') + 1)}`;
}

/** The local server did not come up: exit 8, with its own last words (PG-3). */
export function didNotStart(what: string, words: string, cause?: unknown): RecallMatrixError {
  const said = lastWords(words) || (cause === undefined ? 'it said nothing' : messageOf(cause));
  return databaseUnavailable('POSTGRES_DID_NOT_START', `${what}: ${said}`, {
    remedy:
      'free space on the disk and in the temporary folder, or use a server of your own with --database-url (Postgres 15 to 18)',
    cause,
  });
}
