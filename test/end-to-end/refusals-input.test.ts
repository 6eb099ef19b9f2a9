import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cli, countingServer, documentOf, exits } from '../support/cli.js';
import { startOpenAiServer } from '../support/openai-server/index.js';
import { editFile, namesIn, SMALL_CALLS, SMALL_MATRIX, type Small, writeSmall } from '../support/small-matrix.js';

/** Nothing listens there. */
const UNREACHABLE = 'http://127.0.0.1:9/v1';
const REMOTE = SMALL_MATRIX.replace(
  'local: { kind: local }',
  `local: { kind: local }\n  remote: { kind: openai, base_url: "${UNREACHABLE}", api_key_env: MILL_KEY, timeout_ms: 5000 }`,
);
const REMOTE_READER = REMOTE.replace(
  'reader: { provider: local, model: extractive-reader-1 }',
  'reader: { provider: remote, model: gpt-test-1 }',
);
const REMOTE_FORMER = REMOTE.replace(
  'profile: { provider: local, model: extractive-facts-1 }',
  'profile: { provider: remote, model: gpt-test-1 }',
);
const PRICE = 'prices: { gpt-test-1: { as_of: 2026-11-01, input: "1", output: "2" } }\n';

/** A fault: how it is made, and what must be said of it. */
interface Fault {
  readonly title: string;
  readonly matrix: string;
  readonly make?: (small: Small) => Promise<void>;
  readonly code: string;
  /** The text that the place must point to; null where there is no file to point into. */
  readonly at: string | null;
  /** The file that holds it; the matrix where absent. */
  readonly file?: string;
  readonly remedy: RegExp;
}

const FAULTS: readonly Fault[] = [
  {
    title: 'MX-2 a missing fixture',
    matrix: SMALL_MATRIX.replace('fixtures/mill', 'fixtures/hill'),
    code: 'FIXTURE_MISSING',
    at: '[fixtures/hill',
    remedy: /name a folder/,
  },
  {
    title: 'MX-2 a missing prompt file',
    matrix: SMALL_MATRIX.replace('extractive-reader-1 }', 'extractive-reader-1, prompt: ask.txt }'),
    code: 'PROMPT_UNREADABLE',
    at: 'ask.txt',
    remedy: /short-answer/,
  },
  {
    title: 'MX-2 a wrong key',
    matrix: SMALL_MATRIX.replace('limit: 5', 'limits: 5'),
    code: 'UNKNOWN_KEY',
    at: 'limits',
    remedy: /schema matrix/,
  },
  {
    title: 'MX-2 an unknown model',
    matrix: SMALL_MATRIX.replace('extractive-facts-1', 'extractive-facts-9'),
    code: 'MODEL_UNKNOWN',
    at: 'extractive-facts-9',
    remedy: /extractive-facts-1/,
  },
  {
    title: 'MX-2 LG-8 a missing price',
    matrix: REMOTE_READER,
    code: 'PRICE_UNKNOWN',
    at: 'gpt-test-1',
    remedy: /prices/,
  },
  {
    title: 'MX-4 a missing variable of the reader',
    matrix: `${REMOTE_READER}${PRICE}`,
    code: 'ENV_MISSING',
    at: 'MILL_KEY',
    remedy: /set MILL_KEY/,
  },
  {
    title: 'MX-4 a missing variable of a former that has to record',
    matrix: `${REMOTE_FORMER}${PRICE}`,
    code: 'ENV_MISSING',
    at: 'MILL_KEY',
    remedy: /set MILL_KEY/,
  },
  {
    title: 'MX-2 FX-1 an unknown question',
    matrix: `${SMALL_MATRIX}load: { questions: [mill/q9] }\n`,
    code: 'UNKNOWN_QUESTION',
    at: '[mill/q9',
    remedy: /questions\.jsonl/,
  },
  {
    title: 'MX-2 a pin of no fixture',
    matrix: SMALL_MATRIX.replace(
      'bank: record-if-missing',
      `bank: record-if-missing\n  pinned:\n    hill: sha256:${'0'.repeat(64)}`,
    ),
    code: 'PIN_OF_NO_FIXTURE',
    at: 'sha256:00',
    remedy: /mill/,
  },
  {
    title: 'FX-5 a broken fixture: a date that does not exist',
    matrix: SMALL_MATRIX,
    make: (small) => editFile(join(small.fixture, 'history.jsonl'), '2024-02-03T18:31:00', '2024-02-30T18:31:00'),
    code: 'WRONG_VALUE',
    file: 'fixtures/mill/history.jsonl',
    at: '"at":"2024-02-30',
    remedy: /./,
  },
  {
    title: 'FX-1 a broken fixture: a file that is not there',
    matrix: SMALL_MATRIX,
    make: (small) => rm(join(small.fixture, 'questions.jsonl')),
    code: 'FILE_MISSING',
    file: 'fixtures/mill/questions.jsonl',
    at: null,
    remedy: /./,
  },
];

describe('input that is not sound', () => {
  it.each(FAULTS)('$title: exit 2 with place and remedy, no server asked, nothing made', async (fault) => {
    const small = await writeSmall(fault.matrix);
    await fault.make?.(small);
    const server = await countingServer();
    const result = await small.run('run', [], { database: server.url });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(await pointedAt(small, result.stderr, fault.code)).toEqual({
      file: fault.file ?? 'm.yaml',
      text: fault.at === null ? null : expect.stringMatching(startsWith(fault.at)),
      remedy: expect.stringMatching(fault.remedy),
    });
    expect(server.connections()).toBe(0);
    expect(await namesIn(small.runs)).toEqual([]);
    expect(await namesIn(small.banks)).toEqual([]);
  });

  it('MX-2 a matrix that is not there: exit 2, naming it and what to name instead', async () => {
    const small = await writeSmall();
    for (const verb of ['validate', 'plan', 'run', 'record']) {
      const server = await countingServer();
      const result = await cli([verb, 'none.yaml'], { cwd: small.folder, database: server.url });
      expect(result).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toMatch(/^none\.yaml: MATRIX_UNREADABLE: .*\n {2}remedy: name a matrix file/);
      expect(server.connections()).toBe(0);
    }
  });

  it('MX-2 CL-4 several faults come together, and as one document with --json', async () => {
    const small = await writeSmall(SMALL_MATRIX.replace('limit: 5', 'limits: 5').replace('version: 1', 'version: 2'));
    const result = await small.run('validate', ['--json']);
    expect(result.code).toBe(2);
    expect(documentOf(result)).toEqual({
      format: 'error@1',
      errors: expect.arrayContaining([
        expect.objectContaining({ code: 'WRONG_VALUE', location: { file: small.matrix, line: 1, column: 10 } }),
        expect.objectContaining({ code: 'UNKNOWN_KEY', kind: 'invalid-input', remedy: expect.stringMatching(/./) }),
      ]),
      resume: null,
    });
    expect(result.stderr.match(/^m\.yaml:\d+:\d+: /gm)).toHaveLength(2);
  });

  it('control: the same matrix, mended, does ask the server; and with one, makes a run folder, a ledger and a bank', async () => {
    const small = await writeSmall();
    const server = await countingServer();
    await exits(8, small.run('run', [], { database: server.url }));
    expect(server.connections()).toBeGreaterThan(0);
    expect(await namesIn(small.runs)).toEqual([]);

    await exits(0, small.run('run'));
    const [run] = await namesIn(small.runs);
    expect(await namesIn(join(small.runs, run ?? ''))).toEqual(expect.arrayContaining(['ledger.jsonl', 'run.json']));
    expect(await namesIn(small.banks)).toHaveLength(2);
  });
});

describe('variables', () => {
  it('MX-4 a variable is not required where nothing can be sent to its provider', async () => {
    const api = await startOpenAiServer({ answer: () => '{"beliefs":[],"people":[]}' });
    onTestFinished(() => api.close());
    const small = await writeSmall(`${REMOTE_FORMER}${PRICE}`.replace(UNREACHABLE, api.url));
    await exits(0, small.run('record', [], { env: { MILL_KEY: api.api_key ?? '' } }));
    expect(api.requests).toHaveLength(SMALL_CALLS);

    for (const verb of ['validate', 'plan', 'run']) {
      await exits(0, small.run(verb));
    }
    expect(api.requests).toHaveLength(SMALL_CALLS);
    // Control: without the bank, formation has to send, and the variable is required.
    await rm(small.banks, { recursive: true });
    const without = await exits(2, small.run('run'));
    expect(without.stderr).toContain('ENV_MISSING');
    await exits(0, small.run('plan'));
  });

  it('MX-4 RS-4 a .env beside the matrix serves, and its value is written nowhere', async () => {
    const small = await writeSmall(`${REMOTE_READER}${PRICE}`);
    await writeFile(join(small.folder, '.env'), 'MILL_KEY=mill-secret-4711\n');
    // Nothing listens there: every question is lost to the provider.
    const result = await exits(7, small.run('run', ['--json']));
    const files = await textsUnder(small.runs, small.banks);
    expect(files.length).toBeGreaterThan(5);
    const written = [...files, result.stdout, result.stderr].join('\n');
    expect(written).toContain('MILL_KEY');
    expect(written).not.toContain('mill-secret-4711');
  });
});

describe('a history of more than 128 batches', () => {
  const sessions = (count: number): string[] =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        kind: 'turn',
        id: `t${index}`,
        session: `s${index}`,
        at: `2024-01-01T${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}:00`,
        speaker: index % 2 === 0 ? 'Ilse' : 'Marek',
        text: 'The mill stands by the river.',
        sensitivity: 'internal',
      }),
    );

  it.each(['plan', 'run', 'record'])('FB-8 is refused by %s, and nothing is sent', async (verb) => {
    const small = await writeSmall();
    const server = await countingServer();
    await writeFile(join(small.fixture, 'questions.jsonl'), await questionsOfLongHistory());
    await writeFile(
      join(small.fixture, 'history.jsonl'),
      sessions(129)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const result = await small.run(verb, [], { database: server.url });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/fixtures\/mill.*HISTORY_TOO_LONG: .*129 formation calls.*128\n {2}remedy: split/);
    expect(server.connections()).toBe(0);
    expect(await namesIn(small.runs)).toEqual([]);
    expect(await namesIn(small.banks)).toEqual([]);

    // Control: one batch fewer is planned.
    await writeFile(
      join(small.fixture, 'history.jsonl'),
      sessions(128)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const planned = await small.run('plan', ['--json']);
    expect(documentOf(planned)).toMatchObject({ blocks: [{ formation_calls: 128, bank: 'record' }] });
  });
});

/** Where a refusal points, and the remedy of it. */
async function pointedAt(small: Small, stderr: string, code: string) {
  const found = new RegExp(`^([^\\s:]+)(?::(\\d+):(\\d+))?: ${code}: .+\\n {2}remedy: (.+)$`, 'm').exec(stderr);
  if (found === null) throw new Error(`no ${code} with place and remedy: ${stderr}`);
  const [, file = '', line, column, remedy] = found;
  if (line === undefined) return { file, text: null, remedy };
  const lines = (await readFile(join(small.folder, file), 'utf8')).split('\n');
  return { file, text: (lines[Number(line) - 1] ?? '').slice(Number(column) - 1), remedy };
}

function startsWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}

/** The small questions, of a history without their evidence. */
async function questionsOfLongHistory(): Promise<string> {
  const question = {
    id: 'mill/q1',
    question: 'Where does the mill stand?',
    asked_at: '2024-03-01T09:00:00',
    subjects: [],
    category: 'single-hop',
    answerable: true,
    expected: ['by the river'],
    evidence: ['t0'],
  };
  return `${JSON.stringify(question)}\n`;
}

/** Every file's text in some folders. */
async function textsUnder(...folders: string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name), 'utf8'));
    }
  }
  return texts;
}
