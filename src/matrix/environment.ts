import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'dotenv';
import { invalidInput, type RecallMatrixError, type SourceLocation } from '../core/errors.js';
import { isRemote, type ProviderEntry } from './matrix.js';

/** Variables by name. The process's own win over those of a `.env`. */
export type Environment = { readonly [name: string]: string | undefined };

/** Reads the `.env` beside a matrix, where there is one, below the process's variables (MX-4). Nothing is written into the process. */
export async function environmentOf(matrixPath: string, processEnvironment: Environment): Promise<Environment> {
  let text: string;
  try {
    text = await readFile(join(dirname(matrixPath), '.env'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return processEnvironment;
    throw invalidInput(
      'ENV_FILE_UNREADABLE',
      `cannot read the .env beside ${matrixPath}: ${(error as Error).message}`,
      {
        remedy: 'make it readable or remove it',
      },
    );
  }
  return { ...parse(text), ...processEnvironment };
}

/** What a provider needs from the environment to send. Secrets: never written anywhere. */
export interface ProviderSecrets {
  readonly base_url: string | null;
  readonly api_key: string | null;
}

/**
 * Reads a provider's variables. Called for providers that this invocation can send to, and for no other (MX-4).
 *
 * @returns the values, or the faults: `ENV_MISSING` for each variable that is not set or empty.
 */
export function secretsOf(
  alias: string,
  entry: ProviderEntry,
  environment: Environment,
  locate: (field: string) => SourceLocation | undefined = () => undefined,
): { readonly secrets: ProviderSecrets; readonly faults: readonly RecallMatrixError[] } {
  if (!isRemote(entry)) return { secrets: { base_url: null, api_key: null }, faults: [] };
  const faults: RecallMatrixError[] = [];
  const read = (name: string | null, field: string): string | null => {
    if (name === null) return null;
    const value = environment[name];
    if (value !== undefined && value !== '') return value;
    faults.push(
      invalidInput('ENV_MISSING', `provider ${alias}: the environment variable ${name} (${field}) is not set`, {
        remedy: `set ${name}, or put it into a .env beside the matrix`,
        location: locate(field),
      }),
    );
    return null;
  };
  const secrets = {
    api_key: read(entry.api_key_env, 'api_key_env'),
    base_url: entry.base_url ?? read(entry.url_env, 'url_env'),
  };
  return { secrets, faults };
}
