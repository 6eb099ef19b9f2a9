import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { messageOf } from '../../core/errors.js';
import type { Binaries } from './binaries.js';
import { didNotStart } from './failure.js';
import type { ServerIdentity } from './identity.js';
import { childEnvironment } from './run-folder.js';

/**
 * Runs `initdb` to its end, as the server's user.
 *
 * @throws `POSTGRES_DID_NOT_START` with its own words, under what `says` makes of its end.
 */
export async function runInitdb(
  { initdb }: Binaries,
  args: readonly string[],
  folder: string,
  identity: ServerIdentity | null,
  says: { readonly notRun: string; readonly failed: (end: string) => string },
): Promise<void> {
  const child = spawn(initdb, args, {
    cwd: folder,
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(identity === null ? {} : { uid: identity.uid, gid: identity.gid }),
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text;
  });
  const [code, signal] = (await once(child, 'close').catch((cause: unknown) => {
    throw didNotStart(says.notRun, messageOf(cause), cause);
  })) as [number | null, string | null];
  if (code !== 0) throw didNotStart(says.failed(signal ?? `exit ${code}`), words);
}
