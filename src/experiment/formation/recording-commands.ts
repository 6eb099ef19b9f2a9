import { bankRefused, type ErrorKind, RecallMatrixError } from '../../core/errors.js';
import { shellWord } from '../../core/shell-word.js';
import type { FixtureOutline } from '../../fixture/fixture.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';

/** Lets a refusal of an interrupted recording name both commands as they can be copied (FB-9): the bank room knows no matrix. */
export async function withExactCommands<T>(
  work: Promise<T>,
  loaded: LoadedMatrix,
  fixture: FixtureOutline,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const journal = error instanceof RecallMatrixError ? error.details.journal : null;
    if (!(error instanceof RecallMatrixError) || error.code !== 'BANK_RECORDING_INTERRUPTED') throw error;
    if (typeof journal !== 'string') throw error;
    throw bankRefused(error.code, error.message, {
      remedy: [
        'take its completions over and ask only for what is missing:',
        `    ${continueCommand(journal, loaded.path, fixture.path)}`,
        '  or move it to the failed ones, so that the next recording begins anew:',
        `    recall-matrix bank abandon ${shellWord(journal)} --reason "..."`,
      ].join('\n'),
      details: error.details,
    });
  }
}

/**
 * Lets what stopped a recording from outside, a user, a budget or a database, name the command that goes on with it (FB-9): nothing is
 * recorded or resumed over its journal.
 */
export async function withContinuation<T>(
  work: Promise<T>,
  journal: string,
  loaded: LoadedMatrix,
  fixture: FixtureOutline,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RecallMatrixError) || !isFromOutside(error.kind)) throw error;
    const { kind, code, message, location, details } = error;
    const first = kind === 'interrupted' || error.remedy === undefined ? '' : `${error.remedy}; but `;
    throw new RecallMatrixError({
      kind,
      code,
      message,
      remedy: `${first}go on with the recording first, out of a budget of its own (the matrix's budget_usd); what it completed is not asked again:\n    ${continueCommand(journal, loaded.path, fixture.path)}`,
      location,
      details,
      cause: error,
    });
  }
}

function isFromOutside(kind: ErrorKind): kind is 'interrupted' | 'budget' | 'database' {
  return kind === 'interrupted' || kind === 'budget' || kind === 'database';
}

/** The command that continues a recording. The fixture is named, since a command line may have chosen it. */
export function continueCommand(journal: string, matrix: string, fixture: string): string {
  const words = [journal, '--matrix', matrix, '--fixtures', fixture].map(shellWord);
  return `recall-matrix bank continue ${words.join(' ')}`;
}
