import { relative } from 'node:path';
import { InvalidInputErrors, messageOf, RecallMatrixError, type SourceLocation } from '../core/errors.js';
import { terminalText } from '../core/terminal-text.js';

/** An error as people read it: place, code, message, remedy; every one of several. */
export function showError(error: unknown, workingFolder: string): string {
  if (error instanceof InvalidInputErrors) return error.errors.map((one) => showError(one, workingFolder)).join('\n');
  if (!(error instanceof RecallMatrixError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return terminalText(`internal fault: ${stack}\n  this is a bug: please report it with the lines above`);
  }
  const place = error.location === undefined ? '' : `${showPlace(error.location, workingFolder)}: `;
  const remedy = error.remedy === undefined ? '' : `\n  remedy: ${error.remedy}`;
  return terminalText(`${place}${error.code}: ${messageOf(error)}${remedy}`);
}

function showPlace({ file, line, column }: SourceLocation, workingFolder: string): string {
  const near = relative(workingFolder, file);
  const name = near === '' || near.startsWith('..') ? file : near;
  return [name, line, column].filter((part) => part !== undefined).join(':');
}

/** The same for `--json`: a list of faults, and the command that continues what was begun before them. */
export function errorDocument(error: unknown, resume: string | null = null): unknown {
  const errors = error instanceof InvalidInputErrors ? error.errors : [error];
  return {
    format: 'error@1',
    resume,
    errors: errors.map((one) => {
      const known = one instanceof RecallMatrixError ? one : null;
      return {
        kind: known?.kind ?? 'internal',
        code: known?.code ?? 'UNEXPECTED',
        message: messageOf(one),
        remedy: known?.remedy ?? null,
        location: known?.location ?? null,
        details: known?.details ?? {},
      };
    }),
  };
}
