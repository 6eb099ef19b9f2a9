import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/experiment/experiment.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const PROJECT = resolve(fileURLToPath(import.meta.url), '../../..');
const DATA = resolve(PROJECT, '../shared/data/locomo/locomo5.json');
const MAIN = join(PROJECT, 'dist/cli/main.js');
const run = promisify(execFile);

/** `matrices/locomo.yaml` with the arms that a test needs: the shipped nine take minutes. */
async function matrixWith(folder: string, arms: string): Promise<string> {
  const shipped = await readFile(join(PROJECT, 'matrices/locomo.yaml'), 'utf8');
  const text = shipped
    .replace(/arms:\n(?: {2}- .*\n)+/, `arms:\n${arms}`)
    .replace(/contrasts: \[.*?\]\]/, 'contrasts: []')
    .replace('baseline: bm25', 'baseline: bm25-turns');
  expect(text).toContain('bm25-turns');
  const path = join(folder, 'locomo.yaml');
  await writeFile(path, text);
  return path;
}

describe('LoCoMo', () => {
  it.skipIf(!existsSync(DATA))(
    'FX-4 RT-1 OB-6 imported, formed from its observations, and retrieved by bm25 over turns at least as well as plain Okapi (needs ../shared/data/locomo/locomo5.json)',
    { timeout: 240_000 },
    async () => {
      const folder = await temporaryFolder();
      const command = async (...argv: string[]) =>
        (
          await run(process.execPath, [MAIN, ...argv], {
            cwd: folder,
            timeout: 220_000,
            killSignal: 'SIGKILL',
            maxBuffer: 1 << 26,
          })
        ).stdout;
      await command('import', 'locomo', DATA, '--out', join(folder, 'fixtures'), '--observations');
      const matrix = await matrixWith(
        folder,
        '  - { name: bm25-turns, retrieval: { strategy: bm25, unit: turns, limit: 10 } }\n',
      );
      const out = await command(
        'run',
        matrix,
        '--fixtures',
        join(folder, 'fixtures/*'),
        '--bank-directory',
        join(folder, 'banks'),
        '--out',
        join(folder, 'runs'),
        '--json',
      );
      const result = JSON.parse(out) as RunResult;
      expect(result.status).toBe('complete');
      expect(result.formation.map(({ fixture, source, calls }) => [fixture, source, calls])).toEqual([
        ['conv-26', 'recorded', 19],
        ['conv-30', 'recorded', 19],
        ['conv-41', 'recorded', 32],
        ['conv-43', 'recorded', 29],
        ['conv-47', 'recorded', 31],
      ]);
      const [arm] = result.arms;
      // 711 of the 713 questions of categories 1 to 4 have evidence that resolves; an independent Okapi BM25 gives 0.512 at 10, 0.2425 at 1.
      expect(arm).toMatchObject({
        parity: 'equal',
        answered: 713,
        unit: 'turns',
        attributed_nano_usd: null,
        actual_nano_usd: 0,
      });
      expect(arm?.score_details['evidence-recall@10']).toMatchObject({ n: 711, failed: 0, clusters: 5 });
      expect(arm?.scores['evidence-recall@10']).toBeGreaterThanOrEqual(0.5);
      expect(arm?.scores['evidence-recall@1']).toBeGreaterThanOrEqual(0.24);
      expect(arm?.scores['evidence-recall@10']).toBeLessThan(0.9);
    },
  );
});
