import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testServerUrl } from '../../test/support/postgres.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { manualClock } from '../core/clock.js';
import { readRunLedger, refuseOtherHome } from './ledger-home.js';
import { RunFolder } from './run-folder.js';

const FILE = { home: 'file' };
const IN_POSTGRES = { home: 'postgres', url_env: 'L', matrix: '/m.yaml' };

/** A run folder that says so of its ledger; null: nothing. */
async function folderWith(ledger: unknown, run?: string): Promise<RunFolder> {
  const folder = await RunFolder.create(await temporaryFolder(), 'm', 's', manualClock());
  const text = JSON.stringify({ format: 'ledger-home@1', run: run ?? folder.id, ledger });
  if (ledger !== null) await writeFile(join(folder.path, 'ledger.home.json'), text);
  return folder;
}

describe('where a run keeps its ledger', () => {
  it('LG-11 is where its manifest says, too', async () => {
    await refuseOtherHome(await folderWith(null), FILE);
    await refuseOtherHome(await folderWith(IN_POSTGRES), IN_POSTGRES);
  });

  it.each<[string, unknown, string | undefined, unknown]>([
    [
      'no longer said: the journal that was written into the folder would be a second budget',
      null,
      undefined,
      IN_POSTGRES,
    ],
    ['said of a run that keeps it in its folder', IN_POSTGRES, undefined, FILE],
    ['another variable', { ...IN_POSTGRES, url_env: 'M' }, undefined, IN_POSTGRES],
    ['the account of another run', IN_POSTGRES, 'other', IN_POSTGRES],
  ])('LG-1 LG-11 refused (exit 2): %s', async (_what, said, run, bound) => {
    const refused = refuseOtherHome(await folderWith(said, run), bound);
    await expect(refused).rejects.toMatchObject({ code: 'LEDGER_HOME_BROKEN', exitCode: 2 });
  });

  it('LG-11 RS-3 in a database that is not there, or does not let its user in, it is exit 8 in words', async () => {
    const { path } = await folderWith(IN_POSTGRES);
    for (const [database, words] of [
      ['no-such-database', 'no-such-database'],
      ['postgres', 'nobody-at-all'],
    ] as const) {
      const url = testServerUrl().replace(/\/\/[^:@]*(:[^@]*)?@[^/]*\/[^?]*/, (found) =>
        found.replace(/[^/]*$/, database).replace(/\/\/[^:@]*/, database === 'postgres' ? '//nobody-at-all' : '$&'),
      );
      const reach = {
        environment: { L: url },
        databaseUrl: null,
        clock: manualClock(),
        signal: new AbortController().signal,
      };
      const refused = readRunLedger(path, reach);
      await expect(refused).rejects.toMatchObject({ code: 'LEDGER_UNREACHABLE', exitCode: 8 });
      await expect(refused).rejects.toThrow(words);
    }
  });
});
