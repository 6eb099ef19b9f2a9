import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from './bank-samples.js';
import { useBundledChild } from './bundled-child.js';

/** Records, or continues, in a child that kills itself at a named step. */
export interface RecordingKiller {
  /**
   * Runs the child to its death; proves that it died at the step, by SIGKILL.
   *
   * @returns the batches that its model was asked for, as the model itself noted them.
   */
  killAt(folder: string, step: string, occurrence: number): Promise<{ readonly billed: readonly string[] }>;
}

/** To be called once a test file: bundles the child before its tests, so that each death costs a fraction of a second. */
export function recordingKiller(): RecordingKiller {
  const program = useBundledChild('recording-child');
  return {
    killAt: async (folder, step, occurrence) => {
      const bill = join(await temporaryFolder(), 'bill');
      const child = spawn(process.execPath, [program(), folder, bill, step, String(occurrence)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      const [, signal] = (await once(child, 'close')) as [number | null, string | null];
      expect({ said, signal }).toEqual({ said: `REACHED ${step}\n`, signal: 'SIGKILL' });
      const lines = await readFile(bill, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return { billed: lines.split('\n').filter((line) => line !== '') };
    },
  };
}
