import { type Environment, environmentOf } from '../../matrix/environment.js';
import { isRemote } from '../../matrix/matrix.js';
import type { RunRecord } from '../run-record.js';

/** The secrets that a run can have been given, as far as they are set here: keys of its providers, and passwords of its databases. */
export async function configuredSecrets(
  { manifest, matrix }: RunRecord,
  { environment, databaseUrl }: { readonly environment: Environment; readonly databaseUrl: string | null },
): Promise<string[]> {
  const values = await environmentOf(manifest.matrix.path, environment);
  const keys = Object.values(matrix.providers).map((entry) =>
    isRemote(entry) && entry.api_key_env !== null ? values[entry.api_key_env] : undefined,
  );
  const { url_env } = (manifest.ledger_home ?? {}) as { readonly url_env?: string | null };
  const urls = [databaseUrl, url_env == null ? undefined : values[url_env]];
  return [...keys, ...urls.map(passwordOf)].filter((secret) => secret !== undefined && secret !== '') as string[];
}

function passwordOf(url: string | null | undefined): string | undefined {
  if (url == null || !URL.canParse(url)) return undefined;
  const { password } = new URL(url);
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
