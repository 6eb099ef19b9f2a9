import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { LiveObjects } from '../../test/support/live-objects.js';
import { longMemEvalItems } from '../../test/support/longmemeval-sample.js';
import { testServerUrl } from '../../test/support/postgres.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { systemClock } from '../core/clock.js';
import type { Fixture } from '../fixture/fixture.js';
import { importLongMemEval } from '../fixture/importers/longmemeval.js';
import { lessonBook } from '../lessons/injection/lesson-book.js';
import type { RunResult } from './experiment.js';
import { runMatrix } from './run.js';

const held = vi.hoisted(() => ({ histories: null as LiveObjects | null, rows: null as LiveObjects | null }));

vi.mock('../fixture/load.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('../fixture/load.js')>();
  return {
    ...original,
    loadFixture: async (folder: string): Promise<Fixture> => {
      await held.histories?.count();
      await held.rows?.count();
      const fixture = await original.loadFixture(folder);
      held.histories?.show(fixture.history);
      return fixture;
    },
  };
});

vi.mock('./asking/row.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('./asking/row.js')>();
  const laySharedCosts: typeof original.laySharedCosts = (...given) => {
    const rows = original.laySharedCosts(...given);
    for (const row of rows) held.rows?.show(row);
    return rows;
  };
  return { ...original, laySharedCosts };
});

const MATRIX = `version: 1
name: many
budget_usd: "0.50"
fixtures: ["fixtures/*"]
formation: none
reader: { provider: local, model: extractive-reader-1 }
providers:
  local: { kind: local }
arms:
  - { name: none, retrieval: { strategy: none } }
  - { name: bm25, retrieval: { strategy: bm25, unit: turns, limit: 3 } }
baseline: bm25
scoring: [token-f1, evidence-recall@10]
`;

/** Runs so many questions of LongMemEval's layout, each with a history of its own. */
async function runMany(questions: number): Promise<{ result: RunResult; histories: LiveObjects; rows: LiveObjects }> {
  const folder = await temporaryFolder();
  const signal = new AbortController().signal;
  const input = join(folder, 'in.json');
  await writeFile(input, JSON.stringify([...longMemEvalItems({ questions, sessions: 3, turns: 4 })]));
  await importLongMemEval({ inputPath: input, outFolder: join(folder, 'fixtures'), signal });
  await writeFile(join(folder, 'm.yaml'), MATRIX);
  const histories = new LiveObjects();
  const rows = new LiveObjects();
  Object.assign(held, { histories, rows });
  const { result } = await runMatrix({
    matrixPath: join(folder, 'm.yaml'),
    out: join(folder, 'runs'),
    defaultOut: join(folder, 'runs'),
    overrides: {},
    databaseUrl: testServerUrl(),
    lessons: lessonBook(join(folder, 'lessons'), false),
    environment: {},
    recorder_wait_ms: 0,
    clock: systemClock,
    signal,
    onFolder: () => {},
    progress: () => {},
  });
  Object.assign(held, { histories: null, rows: null });
  return { result, histories, rows };
}

it('FX-4 a run holds two histories at once, and the rows of one block, however many fixtures it has', async () => {
  for (const questions of [3, 8]) {
    const { result, histories, rows } = await runMany(questions);
    expect(result.status).toBe('complete');
    expect(result.formation).toHaveLength(questions);
    expect(result.arms.map(({ arm, answered }) => [arm, answered])).toEqual([
      ['none', questions],
      ['bm25', questions],
    ]);
    // Each history is loaded to be examined, and again when it is due; each arm has a row of each question.
    expect([histories.shown, rows.shown]).toEqual([questions * 2, questions * 2]);
    expect(histories.most).toBeGreaterThan(0);
    expect(histories.most).toBeLessThanOrEqual(2);
    expect(rows.most).toBeLessThanOrEqual(2);
  }
});
