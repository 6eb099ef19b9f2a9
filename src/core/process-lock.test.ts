import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { lockForProcess, lockHolder } from './process-lock.js';
import { systemProcesses } from './process-mark.js';

const NOW = '2026-01-02T03:04:05.000Z';
const refusals = {
  inUse: ({ pid, host, since }: { pid: number; host: string; since: string }) =>
    new Error(`held by ${pid} on ${host} since ${since}`),
  broken: (path: string) => new Error(`${path} is broken`),
};

describe('a lock that a process holds', () => {
  it('OB-5 refuses a second holder, naming the first and since when, and is free after its release', async () => {
    const path = join(await temporaryFolder(), 'lock');
    const { pid, host } = systemProcesses.self();
    const held = await lockForProcess(path, NOW, refusals);
    await expect(lockForProcess(path, NOW, refusals)).rejects.toThrow(`held by ${pid} on ${host} since ${NOW}`);
    await held.release();
    expect(await lockHolder(path, refusals.broken)).toBeNull();
    await (await lockForProcess(path, NOW, refusals)).release();
  });

  it('OB-5 is taken over from a process that died, and from an earlier one of the same id', async () => {
    const path = join(await temporaryFolder(), 'lock');
    const self = systemProcesses.self();
    for (const pid of [2 ** 22 + 1, self.pid]) {
      await writeFile(path, JSON.stringify({ ...self, pid, started: '1', since: NOW }));
      const held = await lockForProcess(path, NOW, refusals);
      expect(await lockHolder(path, refusals.broken)).toMatchObject({ pid: self.pid });
      await held.release();
    }
  });

  it('OB-5 believes a holder on another machine, and refuses a file that names nobody', async () => {
    const path = join(await temporaryFolder(), 'lock');
    await writeFile(path, JSON.stringify({ host: 'elsewhere', pid: 1, started: null, since: NOW }));
    await expect(lockForProcess(path, NOW, refusals)).rejects.toThrow('held by 1 on elsewhere');
    await writeFile(path, '{');
    await expect(lockForProcess(path, NOW, refusals)).rejects.toThrow('broken');
  });

  it('RS-3 CL-2 where nothing can be written, or its name is taken by a folder, it says so at once (exit 2)', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'lock'));
    for (const path of [join(folder, 'lock'), join(folder, 'nowhere', 'lock')]) {
      const refused = lockForProcess(path, NOW, refusals);
      await expect(refused).rejects.toMatchObject({ code: 'LOCK_NOT_WRITABLE', exitCode: 2 });
      await expect(refused).rejects.toThrow(path);
    }
  });
});
