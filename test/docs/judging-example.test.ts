import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { userMessage } from '../support/chat-models.js';
import { command, exits, PROJECT } from '../support/cli.js';
import { KEY, run } from '../support/cli-priced.js';
import { type ChatRequest, startOpenAiServer } from '../support/openai-server/index.js';
import { strictRunResultSchema } from '../support/strict-run-result.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Both prompts are told apart by their own words: the strict one wants the whole of an expected answer. */
function judge(request: ChatRequest): string {
  const { expected, answer } = userMessage(request) as { expected: string[]; answer: string };
  const isStrict = request.messages[0]?.content.includes('in every detail') === true;
  const plain = (text: string): string => text.toLowerCase().replace(/^(a|the) /, '');
  const fits = (text: string): boolean =>
    isStrict
      ? plain(answer) === plain(text)
      : plain(answer).includes(plain(text)) || plain(text).includes(plain(answer));
  return JSON.stringify({ reason: 'compared', verdict: expected.some(fits) ? 'correct' : 'incorrect' });
}

it('OB-7 the example of docs/judging.md, run against a server: two judges, one measured against people', async () => {
  const server = await startOpenAiServer({
    api_key: KEY,
    models: { 'gpt-4.1-mini': { input_nano_usd: 400n, output_nano_usd: 1600n } },
    answer: judge,
  });
  try {
    const folder = await temporaryFolder();
    const examples = join(PROJECT, 'matrices', 'examples');
    const text = await readFile(join(examples, 'judged.yaml'), 'utf8');
    const changed = text
      .replace('../../banks', './banks')
      .replaceAll('../../', `${PROJECT}/`)
      .replace('../example-prices.yaml', join(PROJECT, 'matrices', 'example-prices.yaml'))
      .replace('remote: { kind: openai }', `remote: { kind: openai, base_url: "${server.url}" }`);
    expect(changed).toContain(server.url);
    const matrix = join(folder, 'judged.yaml');
    await writeFile(matrix, changed);
    await cp(join(examples, 'judged'), join(folder, 'judged'), { recursive: true });
    const { code, stderr, result } = await run(folder, matrix, { env: { OPENAI_API_KEY: KEY } });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const [kind, strict] = strictRunResultSchema.parse(result).judging?.judges ?? [];
    expect(kind).toMatchObject({
      judge: 'kind',
      repeats: 3,
      labels: { lines: 8, n: 7, sensitivity: { n: 4 }, specificity: { n: 3 } },
    });
    expect(kind?.arms.find(({ arm }) => arm === 'evidence')).toMatchObject({ rank: null, corrected: { reason: null } });
    expect(strict).toMatchObject({ judge: 'strict', repeats: 1, labels: null });
    expect(BigInt(result.ledger.spent_nano_usd)).toBe(server.bill().nano_usd);

    // Resumed, a complete run asks nobody.
    const asked = server.requests.length;
    await exits(0, command(['run', '--resume', result.path], { env: { OPENAI_API_KEY: KEY } }));
    expect(server.requests.length).toBe(asked);
  } finally {
    await server.close();
  }
});
