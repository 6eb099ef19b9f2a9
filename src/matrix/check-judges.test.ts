import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf, KNOWN_PARTS, loadText, SOUND, writeMatrix } from '../../test/support/sound-matrix.js';
import { digestText } from '../core/digest.js';
import { loadMatrix } from './load-matrix.js';

describe('OB-7 judges in a matrix', () => {
  const REMOTE = SOUND.replace(
    '  local: { kind: local }\n',
    '  local: { kind: local }\n  remote: { kind: openai }\nprices:\n  m: { as_of: 2026-01-01, input: "1", output: "2" }\n',
  );
  const judged = (judge: string, scorer = 'judge:kind') =>
    `${REMOTE}scoring: [token-f1, "${scorer}"]\njudges:\n  kind: ${judge}\n`;

  it('bind their model, prompt, labels and repeats in the digest', async () => {
    const { matrix, digest } = await loadText(judged('{ provider: remote, model: m }'));
    expect(matrix.judges).toEqual({
      kind: {
        provider: 'remote',
        model: 'm',
        parameters: { max_output_tokens: 512, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
        prompt: { name: 'correctness', text: 'Judge.', digest: digestText('Judge.') },
        repeats: 1,
        labels: null,
      },
    });
    expect(matrix.prices).toHaveProperty('m');
    for (const other of ['repeats: 3', 'temperature: 1', 'max_output_tokens: 64'])
      expect((await loadText(judged(`{ provider: remote, model: m, ${other} }`))).digest).not.toBe(digest);
    const path = await writeMatrix(judged('{ provider: remote, model: m, prompt: p.txt, labels: l.jsonl }'));
    const files = { prompt: join(path, '../p.txt'), labels: join(path, '../l.jsonl') };
    await writeFile(files.labels, '');
    await writeFile(files.prompt, 'Be kind.');
    const kind = await loadMatrix(path, KNOWN_PARTS);
    expect(kind.matrix.judges.kind).toMatchObject({
      prompt: { name: 'p.txt', text: 'Be kind.' },
      labels: { path: 'l.jsonl', digest: digestText('') },
    });
    await writeFile(files.prompt, 'Be strict.');
    const strict = await loadMatrix(path, KNOWN_PARTS);
    await writeFile(files.labels, '\n');
    const digests = [kind.digest, strict.digest, (await loadMatrix(path, KNOWN_PARTS)).digest];
    expect(new Set(digests).size).toBe(3);
  });

  it.each([
    [
      'an unknown judge',
      judged('{ provider: remote, model: m }', 'judge:other'),
      ['JUDGE_UNKNOWN at "judge', 'JUDGE_NOT_ASKED at {'],
    ],
    ['a judge that nothing asks', judged('{ provider: remote, model: m }', 'exact-match'), ['JUDGE_NOT_ASKED at {']],
    ['a judge without a price', judged('{ provider: remote, model: n }'), ['PRICE_UNKNOWN at n']],
    ['a judge without a provider', judged('{ provider: none, model: m }'), ['PROVIDER_UNKNOWN at none']],
    [
      'a local judge',
      judged('{ provider: local, model: extractive-reader-1 }'),
      ['MODEL_UNKNOWN at extractive-reader-1'],
    ],
    ['a missing prompt', judged('{ provider: remote, model: m, prompt: no.txt }'), ['PROMPT_UNREADABLE at no.txt']],
    ['missing labels', judged('{ provider: remote, model: m, labels: no.jsonl }'), ['LABELS_UNREADABLE at no.jsonl']],
  ])('MX-2 refuses %s, with line and column', async (_what, text, expected) => {
    expect(await faultsOf(text)).toEqual(expected);
  });
});
