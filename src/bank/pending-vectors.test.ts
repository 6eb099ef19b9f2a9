import { appendFile, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { type Digest, digestJson, digestText } from '../core/digest.js';
import { keptVectors, PendingVectors } from './pending-vectors.js';
import { abandonVectors, listPendingVectors } from './unfinished-vectors.js';
import type { VectorRecording } from './vector-bank.js';
import { writeVectorBank } from './vector-bank-folder.js';
import { textsDigest } from './vector-bank-format.js';
import { pendingVectorsPath } from './vector-bank-names.js';
import { lockVectorRecording } from './vector-recorder.js';

const NOW = '2026-01-01T00:00:00.000Z';
const TEXTS = ['Rosa moved.', 'Ünal rows.', 'Mira sings.'];
const QUERY = digestText('who rows?');
const usage = (tokens: number) => ({
  input_uncached: tokens,
  cache_read: 0,
  cache_write: 0,
  output: 0,
  reasoning: 0,
});
const recordingIn = (folder: string, source: Digest = digestText('state')): VectorRecording => ({
  folder,
  fixture: 'harbour',
  identity: {
    unit: 'beliefs',
    source,
    embedding: { kind: 'openai', endpoint: 'e2e', model: 'm', dimensions: 3 },
    implementation: null,
    pricing: digestJson(null),
    texts: textsDigest(TEXTS.map(digestText)),
  },
});
/** Values that a decimal form, or another byte order, would change. */
const FIRST = [Float32Array.of(0.1, -0, 1e-40), Float32Array.of(3.4e38, -1.5, 7)];
const LAST = [Float32Array.of(1, 2, 3)];

/** A recording that was left with two of three texts, and a question. */
async function leftRecording(): Promise<{ readonly recording: VectorRecording; readonly path: string }> {
  const recording = recordingIn(await temporaryFolder());
  const pending = await PendingVectors.open(recording, TEXTS.length);
  await pending.keepBatch({ vectors: FIRST, usage: usage(7), reported_models: ['m-2'] });
  await pending.keepQuery(QUERY, { vector: Float32Array.of(4, 5, 6), usage: null });
  await pending.close();
  return { recording, path: pending.path };
}

describe('VB-2 what a recording of vectors keeps', () => {
  test('VB-2 SQ-9 it goes on at its cursor: every bit of what was kept is there, in a private file', async () => {
    const { recording, path } = await leftRecording();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const pending = await PendingVectors.open(recording, TEXTS.length);
    expect(pending.cursor).toBe(2);
    expect(() => pending.parts(TEXTS)).toThrow(/2 vectors are kept of 3 texts/);
    await pending.keepBatch({ vectors: LAST, usage: usage(3), reported_models: ['m-2', 'm-1'] });
    const { items, usage: sum, reportedModels } = pending.parts(TEXTS);
    await pending.close();
    expect([...items]).toEqual(
      [...FIRST, ...LAST].map((vector, place) => [digestText(TEXTS[place] as string), vector]),
    );
    expect(new Uint32Array(items.get(digestText('Rosa moved.'))?.buffer as ArrayBuffer)).toEqual(
      new Uint32Array((FIRST[0] as Float32Array).buffer),
    );
    expect([sum, reportedModels]).toEqual([usage(10), ['m-2', 'm-1']]);
    expect(pending.before.queries).toEqual(new Map([[QUERY, { vector: Float32Array.of(4, 5, 6), usage: null }]]));
    await pending.finish();
    expect(await readdir(recording.folder)).toEqual([]);
  });

  test('VB-2 a usage that is not known of one batch is not known of all', async () => {
    const { recording } = await leftRecording();
    const pending = await PendingVectors.open(recording, TEXTS.length);
    await pending.keepBatch({ vectors: LAST, usage: null, reported_models: [] });
    expect(pending.parts(TEXTS).usage).toBeNull();
    await pending.close();
    expect((await keptVectors(recording))?.usage).toBeNull();
  });

  test('VB-2 a last line that was torn is left out, told, and cut off before the next', async () => {
    const { recording, path } = await leftRecording();
    const whole = await readFile(path);
    const lines = whole.toString().split('\n');
    // The last whole line is the question's; each cut of it leaves the batch.
    const begin = Buffer.byteLength(`${lines.slice(0, 2).join('\n')}\n`);
    for (const end of [begin + 1, whole.length - 1]) {
      await writeFile(path, whole.subarray(0, end));
      const kept = await keptVectors(recording);
      expect([kept?.items.length, kept?.queries.size, kept?.torn_bytes]).toEqual([2, 0, end - begin]);
    }
    const pending = await PendingVectors.open(recording, TEXTS.length);
    await pending.keepBatch({ vectors: LAST, usage: usage(1), reported_models: [] });
    await pending.close();
    const kept = await keptVectors(recording);
    expect([kept?.items.length, kept?.torn_bytes]).toEqual([3, 0]);
  });

  test('VB-2 every other byte that was changed refuses, and its line is named (exit 5)', async () => {
    const { recording, path } = await leftRecording();
    const whole = await readFile(path);
    const ends = [...whole.entries()].flatMap(([place, byte]) => (byte === 0x0a ? [place] : []));
    for (let place = 0; place < whole.length - 1; place += 1) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] as number) ^ 1;
      await writeFile(path, changed);
      const line = ends.filter((end) => end < place).length + 1;
      await expect(keptVectors(recording), `byte ${place}`).rejects.toMatchObject({
        code: 'VECTOR_JOURNAL_BROKEN',
        exitCode: 5,
        message: expect.stringContaining(`line ${line}: `),
        remedy: expect.stringContaining('bank abandon'),
      });
    }
    await writeFile(path, '');
    await expect(keptVectors(recording)).rejects.toThrow(/line 1: there is no header/);
  });

  test('VB-2 a line that stands at another place than its own refuses: a batch again, one left out, one beyond the texts', async () => {
    const { recording, path } = await leftRecording();
    const [header, batch, query] = (await readFile(path, 'utf8')).split('\n') as [string, string, string];
    for (const [lines, why] of [
      [[header, batch, batch], 'line 3: it begins at text 0, not 2'],
      [[header, query, query, batch, header], 'line 5: '],
      [[batch], 'line 1: '],
    ] as const) {
      await writeFile(path, lines.map((line) => `${line}\n`).join(''));
      await expect(keptVectors(recording)).rejects.toThrow(why);
    }
    const longer = await PendingVectors.open({ ...recording, fixture: 'mill' }, 1);
    await longer.keepBatch({ vectors: FIRST, usage: null, reported_models: [] });
    await longer.close();
    await expect(keptVectors({ ...recording, fixture: 'mill' })).rejects.toThrow('line 2: it goes beyond the 1 texts');
  });

  test('VB-1 VB-2 what another identity has kept is not used; under the wrong name it refuses', async () => {
    const { recording, path } = await leftRecording();
    const other = recordingIn(recording.folder, digestText('another state'));
    expect(await keptVectors(other)).toBeNull();
    await rename(path, pendingVectorsPath(other));
    await expect(PendingVectors.open(other, TEXTS.length)).rejects.toMatchObject({
      code: 'VECTOR_JOURNAL_DIFFERS',
      exitCode: 5,
      message: expect.stringContaining('it differs in source'),
    });
  });

  test('VB-2 vectors of another length, or that are no numbers, are not kept', async () => {
    const pending = await PendingVectors.open(recordingIn(await temporaryFolder()), TEXTS.length);
    for (const vector of [Float32Array.of(1, 2), Float32Array.of(1, 2, Number.NaN)]) {
      const kept = pending.keepBatch({ vectors: [vector], usage: null, reported_models: [] });
      await expect(kept).rejects.toMatchObject({ code: 'VECTOR_UNSOUND' });
      await expect(pending.keepQuery(QUERY, { vector, usage: null })).rejects.toMatchObject({ code: 'VECTOR_UNSOUND' });
    }
    expect(pending.cursor).toBe(0);
    await pending.close();
  });
});

describe('VB-2 FB-9 a recording that nobody goes on with', () => {
  test('VB-2 FB-13 one process at a time has it, and it is told apart from one that was interrupted', async () => {
    const { recording, path } = await leftRecording();
    const statuses = async () => (await listPendingVectors(recording.folder)).pending.map(({ status }) => status);
    const lock = await lockVectorRecording(path, NOW);
    for (const refused of [lockVectorRecording(path, NOW), abandonVectors(path, 'mine', NOW)])
      await expect(refused).rejects.toMatchObject({ code: 'VECTOR_RECORDING_IN_PROGRESS', exitCode: 5 });
    expect(await statuses()).toEqual(['recording']);
    await lock.release();
    expect(await statuses()).toEqual(['interrupted']);
    await (await lockVectorRecording(path, NOW)).release();
  });

  test('VB-2 FB-9 abandoned, also where it is broken, it stays listed with its reason, and the next begins anew', async () => {
    const { recording, path } = await leftRecording();
    await appendFile(path, '{"kind":');
    const moved = await abandonVectors(path, 'wrong model', NOW);
    expect(moved).toMatch(/failed\/harbour-beliefs-[0-9a-f]{12}-1\.vectors\.jsonl$/);
    expect((await listPendingVectors(recording.folder)).pending).toMatchObject([
      { path: moved, status: 'abandoned', reason: 'wrong model', items: 2, of: 3, queries: 1 },
    ]);
    expect(await keptVectors(recording)).toBeNull();
    await writeFile(path, 'no journal\n');
    expect((await listPendingVectors(recording.folder)).broken.map(({ error }) => error.code)).toEqual([
      'VECTOR_JOURNAL_BROKEN',
    ]);
    const broken = await abandonVectors(path, 'broken', NOW);
    expect(await readFile(broken as string, 'utf8')).toContain('broken');
    await expect(abandonVectors(path, 'again', NOW)).rejects.toMatchObject({ code: 'JOURNAL_NOT_FOUND', exitCode: 2 });
  });

  test('VB-2 FB-9 killed between its seal and the end of its file, it is finished, and abandoning removes the file alone', async () => {
    const { recording, path } = await leftRecording();
    const { texts: _texts, ...identity } = recording.identity;
    const items = new Map(TEXTS.map((text) => [digestText(text), Float32Array.of(1, 2, 3)]));
    await writeVectorBank(recording.folder, 'harbour', {
      identity,
      items,
      usage: null,
      reportedModels: [],
      queries: new Map(),
    });
    expect((await listPendingVectors(recording.folder)).pending.map(({ status }) => status)).toEqual(['finished']);
    expect(await abandonVectors(path, 'done', NOW)).toBeNull();
    expect((await readdir(recording.folder)).filter((name) => !name.endsWith('.vectors.bin'))).toEqual([]);
  });
});
