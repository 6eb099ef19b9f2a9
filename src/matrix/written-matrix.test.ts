import { cp, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KNOWN_PARTS, loadText, SOUND } from '../../test/support/sound-matrix.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadMatrix } from './load-matrix.js';
import { writtenMatrix } from './written-matrix.js';

const PROJECT = resolve(fileURLToPath(import.meta.url), '../../..');

/** Every part of a matrix that has a form of its own when it is resolved. */
const RICH = SOUND.replace('formation:\n', `formation:\n  pinned: { allotment-band: ["sha256:${'0'.repeat(64)}"] }\n`)
  .replace(
    'providers:\n  local: { kind: local }\n',
    `providers:
  local: { kind: local }
  far: { kind: openai, wire_api: responses, url_env: FAR_URL, endpoint_name: far, requests_per_minute: 9, region: eu }
  other: { kind: anthropic, api_key_env: OTHER_KEY, retry: { attempts: 2 } }
prices:
  big: { as_of: "2026-01-01", source: x, tiers: [{ above_input_tokens: 0, input: "1", output: "2" }, { above_input_tokens: 9, input: "3", output: "4" }] }
  vec: { as_of: "2026-01-01", input: "0.1" }
judges:
  j: { provider: far, model: big, prompt: ./judge.txt, repeats: 3, labels: ./labels.jsonl }
query_preparation:
  embedding: { provider: far, model: vec, dimensions: 8, send_dimensions: true }
  ceilings: { request_usd: "0.000000001", day_usd: "2.5" }
load: { categories: [single-hop, temporal], repeats: 2, sample: 5, seed: 7 }
aa: bm25
context: { tokens: 900 }
analysis: { primary: token-f1, contrasts: [[bm25, none]], margin: 0.1 }
baseline: none
scoring: [token-f1, "judge:j"]
concurrency: 2
seed: 11
`,
  )
  .replace(
    '  - { name: none,',
    '  - { name: past, recall: deliberate, retrieval: { strategy: bm25, limit: 4, mode: historical, as_of: "2024-01-01T00:00:00" } }\n  - { name: unprepared, retrieval: { strategy: semantic }, query_preparation: "off" }\n  - { name: core, retrieval: { strategy: recency, limit: 5, mode: core, core_size: 7, read_ceiling: internal } }\n  - { name: taught, retrieval: { strategy: hybrid, limit: 3 }, context: { lessons: inject, lesson_tokens: 90 } }\n  - { name: none,',
  );

describe('RP-7 a matrix that was resolved, written as a file again', () => {
  it.each([
    ['the least', SOUND],
    ['every part that has a form of its own', RICH],
    [
      'without formation',
      SOUND.replace(/formation:\n.*\n/, 'formation: none\n').replace('strategy: bm25', 'strategy: bm25, unit: turns'),
    ],
  ])('RP-7 MX-7 resolves to the same digest: %s', async (_, text) => {
    const files = { 'judge.txt': 'Judge it.\n', 'labels.jsonl': '' };
    const { matrix, digest, path } = await loadText(text, files);
    await writeFile(path, writtenMatrix(matrix));
    expect((await loadMatrix(path, KNOWN_PARTS)).digest).toBe(digest);
  });

  it('RP-7 MX-7 does so for every matrix that ships, but for those whose fixtures are not here', async () => {
    const { KNOWN_PARTS: parts } = await import('../experiment/prepare-run.js');
    const names = [
      ...(await readdir(join(PROJECT, 'matrices'))),
      ...(await readdir(join(PROJECT, 'matrices/examples'))).map((name) => `examples/${name}`),
    ];
    const folder = await temporaryFolder();
    for (const part of ['matrices', 'fixtures']) await cp(join(PROJECT, part), join(folder, part), { recursive: true });
    let compared = 0;
    for (const name of names.filter((one) => one.endsWith('.yaml') && !one.includes('prices'))) {
      const path = join(folder, 'matrices', name);
      const loaded = await loadMatrix(path, parts).catch(() => null);
      if (loaded === null || loaded.matrix.modules !== undefined) continue;
      await writeFile(path, writtenMatrix(loaded.matrix));
      expect((await loadMatrix(path, parts)).digest, name).toBe(loaded.digest);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(4);
  });
});
