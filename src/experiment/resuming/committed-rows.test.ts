import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { failedRow, sampleRow } from '../../../test/support/observation-samples.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { manualClock } from '../../core/clock.js';
import type { Observation } from '../asking/observation.js';
import { RunFolder } from '../run-folder.js';
import { readCommittedRows } from './committed-rows.js';

const BLOCK = { fixture: 'harbour', replicate: 1 };
const linesOf = (rows: readonly Observation[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** What is read back of a cell's two files; null where one is not there. */
async function read(finalised: (run: string) => Observation[] | null, journal: (run: string) => Observation[] | null) {
  const folder = await RunFolder.create(await temporaryFolder(), 'm', 's', manualClock());
  await folder.prepareArm('bm25');
  const files = [
    [folder.observationsPath('bm25', BLOCK), finalised(folder.id)],
    [folder.rowsPath('bm25', BLOCK), journal(folder.id)],
  ] as const;
  for (const [path, rows] of files) if (rows !== null) await writeFile(path, linesOf(rows));
  const { rows, ...rest } = await readCommittedRows(folder, 'bm25', BLOCK);
  return { ...rest, results: [...rows.values()].map(({ outcome, answer }) => [outcome.kind, answer]) };
}

const lost = (run: string) => failedRow(false, { run, answer: null, request: null });
const answered = (run: string) => sampleRow({ run });

describe('the durable rows of a cell', () => {
  it('OB-5 R-03 killed between its finalised file and the removal of the journal that held a lost try: the later try stands', async () => {
    const both = await read(
      (run) => [answered(run)],
      (run) => [lost(run), answered(run)],
    );
    expect(both).toEqual({ results: [['answered', 'Harbour Lane']], refused: [], finalised: false, hasJournal: true });
  });

  it('OB-5 a lost row that is finalised is followed by the journal of the session that asked again', async () => {
    const again = await read(
      (run) => [lost(run)],
      (run) => [answered(run)],
    );
    expect(again.results).toEqual([['answered', 'Harbour Lane']]);
  });

  it.each<[string, (run: string) => Observation[], (run: string) => Observation[]]>([
    ['in the journal', () => [], (run) => [answered(run), { ...answered(run), answer: 'Mill Lane' }]],
    ['in both files', (run) => [answered(run)], (run) => [{ ...answered(run), answer: 'Mill Lane' }]],
    ['finalised, then lost', (run) => [answered(run)], (run) => [lost(run)]],
  ])('OB-5 R-08 two results of one question are refused: %s', async (_where, finalised, journal) => {
    await expect(read(finalised, journal)).rejects.toMatchObject({ code: 'RUN_ROWS_BROKEN', exitCode: 2 });
  });
});
