import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RecordedRunDescription, writeRecordedRun } from '../../../test/support/recorded-run.js';
import { sessionOptions } from '../../../test/support/session-options.js';
import { editFile } from '../../../test/support/small-matrix.js';
import { manualClock } from '../../core/clock.js';
import { openFileLedger } from '../../ledger/file-ledger.js';
import { runLimits } from '../../report/comparison/verdicts/run-limits.js';
import { showRun } from '../../report/tables/run-table.js';
import type { Observation } from '../asking/observation.js';
import { openRunRecord } from '../reading/open-run-record.js';
import type { RunRecord } from '../run-record.js';
import { type RescoreOptions, rescoreRun } from './rescore-run.js';

const FIXTURES = [
  { id: 'c1', questions: [{}, {}, { answerable: false }] },
  { id: 'c2', questions: 2 },
];

/** A finished run of two arms, one of which fails at one question and is wrong at another; with its ledger. */
async function finishedRun(more: RecordedRunDescription = {}): Promise<string> {
  const path = await writeRecordedRun({
    fixtures: FIXTURES,
    scorers: ['token-f1'],
    row: ({ arm, question }) =>
      arm !== 'semantic' ? 1 : question === 'c1/q1' ? 'failed' : question === 'c2/q1' ? 0 : 1,
    ...more,
  });
  const options = { path: join(path, 'ledger.jsonl'), clock: manualClock(), run: 'run-1' };
  const ledger = await openFileLedger({ ...options, mode: 'create', limit: 500_000_000n });
  await ledger.close();
  return path;
}

function rescore(run: string, more: Partial<RescoreOptions> = {}) {
  const told = { run, matrixPath: null, scorers: [], labelsChanged: false, budget: null, retryFailed: false };
  return rescoreRun({ ...sessionOptions(join(run, '..', '..')), ...told, ...more });
}

async function rowsOf(record: RunRecord): Promise<Observation[]> {
  const rows: Observation[] = [];
  for await (const cell of record.cells()) rows.push(...cell.rows);
  return rows;
}

const refusal = (code: string) => ({ kind: 'invalid-input', code, remedy: expect.any(String) });

describe('RP-6 rescore', () => {
  it('adds scores to the stored rows and to the summary, beside the rows before; nothing else of them changes', async () => {
    const run = await finishedRun();
    const before = await openRunRecord(run);
    const rowsBefore = await rowsOf(before);
    const filesBefore = await readFile(join(run, 'arms', 'bm25', 'c1.observations.jsonl'), 'utf8');
    const { result, kinds } = await rescore(run, { scorers: ['contains', 'ndcg@10', 'contains'] });
    expect(kinds).toEqual([]);
    expect(result).toMatchObject({ rows: 10, rows_folder: 'rescored-1', verdicts_asked: 0, labels_changed: [] });
    expect(result.scorers).toEqual([
      { scorer: 'token-f1', is_new: false, rows: 9, changed: 0 },
      { scorer: 'contains', is_new: true, rows: 9, changed: 9 },
      { scorer: 'ndcg@10', is_new: true, rows: 7, changed: 7 },
    ]);
    const after = await openRunRecord(run);
    expect(after.result).toEqual(result.result);
    expect(after.matrix.scoring).toEqual(['token-f1', 'contains', 'ndcg@10']);
    expect(after.manifest).toMatchObject({
      status: before.manifest.status,
      rows_folder: 'rescored-1',
      tool: before.manifest.tool,
      sessions: [
        { kind: 'run' },
        { kind: 'rescore', finished_at: expect.any(String), scored_by: { version: expect.any(String) } },
      ],
    });
    expect(after.manifest.matrices).toHaveLength(2);
    const rows = await rowsOf(after);
    expect(rows.map(({ scores: _s, applicable: _a, ...rest }) => rest)).toEqual(
      rowsBefore.map(({ scores: _s, applicable: _a, miss: _m, ...rest }) => ({
        ...rest,
        miss: expect.toSatisfy(() => true),
      })),
    );
    expect(rows.filter(({ outcome }) => outcome.kind === 'failed').map(({ scores }) => scores)).toEqual([
      { 'token-f1': null, contains: null, 'ndcg@10': null },
    ]);
    const wrong = rows.find(({ arm, question }) => arm === 'semantic' && question === 'c2/q1');
    expect(wrong).toMatchObject({ scores: { 'token-f1': 0, contains: 0, 'ndcg@10': 1 }, miss: { cause: 'misread' } });
    // The failed row is a zero of the new scorers too (OB-4).
    expect(after.result.arms[1]?.score_details.contains).toMatchObject({ n: 5, failed: 1, mean: 0.6 });
    expect(after.result.arms[1]?.scores['token-f1']).toBe(before.result.arms[1]?.scores['token-f1']);
    expect(after.result.analysis.exploratory.scorers).toEqual(['contains', 'ndcg@10']);
    expect(await readFile(join(run, 'arms', 'bm25', 'c1.observations.jsonl'), 'utf8')).toBe(filesBefore);
    // Again: the same rows, in a place of their own, and no matrix more.
    const again = await rescore(run);
    expect(again.result).toMatchObject({
      rows_folder: 'rescored-2',
      scorers: [{ changed: 0 }, { changed: 0 }, { changed: 0 }],
    });
    expect(await rowsOf(await openRunRecord(run))).toEqual(rows);
    expect((await openRunRecord(run)).manifest.matrices).toHaveLength(2);
  });

  it('OB-6 tells misses by the first score that looks at answers, once there is one', async () => {
    const run = await finishedRun({ scorers: ['evidence-recall@10'] });
    expect((await openRunRecord(run)).result.arms[1]?.misses.scorer).toBeNull();
    const { result } = await rescore(run, { scorers: ['exact-match'] });
    expect(result.result.arms[1]?.misses).toMatchObject({ scorer: 'exact-match', n: 4, causes: { misread: 1 } });
    await rm(join(run, 'state'), { recursive: true });
    await expect(rescore(run)).rejects.toMatchObject(refusal('RUN_STATE_MISSING'));
    expect((await openRunRecord(run)).manifest.rows_folder).toBe('rescored-1');
  });

  it('FX-1 corrected labels are refused unless asked for, and then bound in rows and manifest', async () => {
    const run = await finishedRun();
    const questions = join(run, '..', '..', 'fixtures', 'c2', 'questions.jsonl');
    await editFile(questions, '"expected":["answer 1"]', '"expected":["something else"]');
    await editFile(questions, '"category":"single-hop"', '"category":"multi-hop"');
    await expect(rescore(run, { scorers: ['contains'] })).rejects.toMatchObject({
      errors: [{ code: 'RUN_LABELS_CHANGED', message: expect.stringContaining('c2') }],
    });
    expect((await readdir(run)).some((name) => name.startsWith('rescored'))).toBe(false);
    const before = (await openRunRecord(run)).manifest.fixtures;
    const { result } = await rescore(run, { labelsChanged: true });
    expect(result).toMatchObject({ labels_changed: ['c2'], scorers: [{ scorer: 'token-f1', rows: 9, changed: 2 }] });
    const after = await openRunRecord(run);
    const bound = after.manifest.fixtures.map(({ labels }) => labels);
    expect(bound[0]).toBe(before[0]?.labels);
    expect(bound[1]).not.toBe(before[1]?.labels);
    const rows = (await rowsOf(after)).filter(({ fixture }) => fixture === 'c2');
    expect(new Set(rows.map(({ labels }) => labels))).toEqual(new Set([bound[1]]));
    expect(rows[0]).toMatchObject({ category: 'multi-hop', scores: { 'token-f1': 0 }, miss: { cause: 'misread' } });
    expect(Object.keys(after.result.arms[0]?.by_category ?? {})).toContain('multi-hop');
    // Bound now: no flag is needed for them any more.
    expect((await rescore(run)).result.labels_changed).toEqual([]);
  });

  it('MX-8 labels that were changed after the answers stay told, in the session, the result and all that reads them, until they are restored', async () => {
    const run = await finishedRun();
    const questions = join(run, '..', '..', 'fixtures', 'c2', 'questions.jsonl');
    const { manifest: before, result: unchanged } = await openRunRecord(run);
    expect(unchanged.changed_labels).toEqual([]);
    await editFile(questions, '"expected":["answer 1"]', '"expected":["something else"]');
    await rescore(run, { labelsChanged: true });
    // Once more, without a change: that does not make them the labels of before.
    const { result } = await rescore(run);
    const { manifest, result: read } = await openRunRecord(run);
    const change = { fixture: 'c2', before: before.fixtures[1]?.labels, after: manifest.fixtures[1]?.labels };
    expect(change.after).not.toBe(change.before);
    expect(manifest.sessions.map(({ changed_labels }) => changed_labels)).toEqual([undefined, [change], undefined]);
    expect(result.result.changed_labels).toEqual([change]);
    expect(read.changed_labels).toEqual([change]);
    expect(runLimits(read)).toContainEqual({
      kind: 'labels-changed',
      arm: null,
      sentence: expect.stringContaining('Labels of c2 were changed after the answers'),
    });
    expect(showRun(read)).toMatch(/c2 were changed after the\s+answers/);
    expect(showRun(read)).toMatch(/Not to be concluded: .*anything as planned \(labels\s+changed\)/);
    await editFile(questions, '"expected":["something else"]', '"expected":["answer 1"]');
    await rescore(run, { labelsChanged: true });
    const restored = await openRunRecord(run);
    expect(restored.manifest.sessions.at(-1)?.changed_labels).toHaveLength(1);
    expect(restored.result.changed_labels).toEqual([]);
  });

  it('refuses what it cannot score: another history, other questions, a fixture that is gone, a run that is not finished, a ledger behind its rows', async () => {
    const changes: [string, (fixture: string) => Promise<unknown>][] = [
      ['RUN_FIXTURE_CHANGED', (at) => editFile(join(at, 'history.jsonl'), 'number 1', 'number one')],
      ['RUN_FIXTURE_CHANGED', (at) => editFile(join(at, 'questions.jsonl'), '2024-03-01T09', '2024-03-01T10')],
      ['FIXTURE_NOT_A_FOLDER', (at) => rm(at, { recursive: true })],
    ];
    for (const [code, change] of changes) {
      const run = await finishedRun();
      await change(join(run, '..', '..', 'fixtures', 'c1'));
      const error = await rescore(run, { labelsChanged: true }).catch((thrown) => thrown);
      expect((error.errors ?? [error])[0]).toMatchObject(refusal(code));
      expect((await openRunRecord(run)).manifest.sessions).toHaveLength(1);
    }
    const unfinished = await finishedRun({ result: { arms: [] } });
    await editFile(join(unfinished, 'run.json'), '"arms": []', '"arms": [{ "status": "incomplete" }]');
    await expect(rescore(unfinished)).rejects.toMatchObject(refusal('RUN_NOT_FINISHED'));
    const paid = { calls: 1, usage: null, nano_usd: 5, uncertain_nano_usd: 0 };
    const cut = await finishedRun({ row: () => ({ actual: paid }) });
    await expect(rescore(cut)).rejects.toMatchObject(refusal('LEDGER_BEHIND_ROWS'));
    await writeFile(join(cut, 'run.lock'), 'x');
    await expect(rescore(cut)).rejects.toMatchObject(refusal('RUN_LOCK_BROKEN'));
  });

  it('CL-3 what an earlier rescoring said of missing verdicts is not said when they are there: lost rows are, and own failures', async () => {
    const stale = { status: 'incomplete', resume: 'recall-matrix rescore x' } as const;
    const lost = await finishedRun({ row: ({ question }) => (question === 'c1/q1' ? 'lost' : 1), result: stale });
    expect((await rescore(lost)).result.resume).toBe(`recall-matrix run --resume ${lost} --retry-failed`);
    const failed = await finishedRun({ result: stale });
    expect((await rescore(failed)).result.resume).toBe(`recall-matrix run --resume ${failed}`);
  });

  it('RP-6 a run with a conversation that was not formed is not finished, whatever else its arms failed at', async () => {
    const run = await finishedRun();
    await editFile(join(run, 'run.json'), '"source": "replayed"', '"source": "failed"');
    await expect(rescore(run)).rejects.toMatchObject(refusal('RUN_NOT_FINISHED'));
  });

  it('LG-12 RP-6 what cannot go on is noted as ended, and the sums are those of the ledger', async () => {
    const ledger = { limit_nano_usd: 1, spent_nano_usd: 1, held_nano_usd: 0, uncertain_nano_usd: 0 };
    const none = { sends: 1, breached: false, by_arm_and_stage: [] };
    const run = await finishedRun({ result: { ledger: { ...ledger, ...none } } });
    await rm(join(run, 'state'), { recursive: true });
    await expect(rescore(run)).rejects.toMatchObject(refusal('RUN_STATE_MISSING'));
    const { manifest, result } = await openRunRecord(run);
    expect(manifest.sessions.at(-1)).toMatchObject({ kind: 'rescore', finished_at: expect.any(String) });
    expect(result.ledger).toMatchObject({ limit_nano_usd: 500_000_000, spent_nano_usd: 0 });
  });

  it('CL-3 stopped, the run stays as it was', async () => {
    const run = await finishedRun();
    const before = await openRunRecord(run);
    await expect(rescore(run, { scorers: ['contains'], signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'interrupted',
    });
    const after = await openRunRecord(run);
    expect(after.result).toEqual(before.result);
    expect(await rowsOf(after)).toEqual(await rowsOf(before));
    expect(after.manifest).toMatchObject({
      rows_folder: null,
      sessions: [{}, { kind: 'rescore', finished_at: expect.any(String) }],
    });
  });
});
