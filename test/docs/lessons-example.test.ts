import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { showInjection } from '../../src/report/tables/injection-table.js';
import { userMessage } from '../support/chat-models.js';
import { command, exits, PROJECT } from '../support/cli.js';
import { type FinishedRun, KEY, run } from '../support/cli-priced.js';
import { type ChatRequest, startOpenAiServer } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const FIXTURE = 'harbour-clinic';
const [TRAVELLED, PEN, LIVING, LIVES] = ['q011', 'q014', 'q016', 'q037'].map((id) => `${FIXTURE}/${id}`) as [
  string,
  string,
  string,
  string,
];
const RIGHT = new Map([
  ["Where did Anselm's mum travel from to stay with him?", 'Ypres'],
  ["Where did Anselm's lost writing implement turn up?", 'fish box'],
  ['Where is Anselm living?', 'flat above the chandlery'],
  ['Where does Anselm live now?', 'Skerry Lane'],
]);

/** Misreads one question until a lesson says that such questions were misread; made wary by it, answers another no longer. */
function read(request: ChatRequest): string {
  const { question, context } = userMessage(request) as { question: string; context: string[] };
  const isTaught = context[0]?.startsWith('[lesson] ') === true && context[0].endsWith('and were misread.');
  const says = (answer: string | undefined) => JSON.stringify({ abstains: answer === undefined, answer: answer ?? '' });
  if (question.includes('mum travel')) return says(isTaught ? RIGHT.get(question) : 'the harbour');
  if (question.includes('lost writing')) return says(isTaught ? undefined : RIGHT.get(question));
  return says(RIGHT.get(question));
}

const scores = ({ rows }: FinishedRun, question: string) =>
  Object.fromEntries(
    rows
      .filter((row) => row.question === question)
      .map((row) => [row.arm, { f1: row.scores['token-f1'], lessons: row.lessons.length }]),
  );

it('LE-6 LE-2 LE-4 the two nights of docs/lessons.md: a misreading recurs, is verified, and stands before one arm of the third night', async () => {
  const server = await startOpenAiServer({
    api_key: KEY,
    models: { 'gpt-4.1-mini': { input_nano_usd: 400n, output_nano_usd: 1600n } },
    answer: read,
  });
  try {
    const folder = await temporaryFolder();
    const text = await readFile(join(PROJECT, 'matrices/examples/lessons.yaml'), 'utf8');
    const changed = text
      .replace('../../banks', './banks')
      .replaceAll('../../', `${PROJECT}/`)
      .replace('../example-prices.yaml', join(PROJECT, 'matrices/example-prices.yaml'))
      .replace('remote: { kind: openai }', `remote: { kind: openai, base_url: "${server.url}" }`);
    expect(changed).toContain(server.url);
    const matrix = join(folder, 'lessons.yaml');
    await writeFile(matrix, changed);
    await cp(join(PROJECT, 'banks'), join(folder, 'banks'), { recursive: true });
    const log = ['--lessons', join(folder, 'lessons')];
    const lessons = async (...args: string[]) => {
      const { stdout } = await exits(0, command(['lessons', ...args, ...log, '--json']));
      return JSON.parse(stdout);
    };
    const harvest = ({ result }: FinishedRun) => lessons('harvest', result.path);
    const states = async () =>
      (await lessons('list')).lessons.map((one: { state: string; fingerprint: { failure: string } }) => [
        one.fingerprint.failure,
        one.state,
      ]);
    const night = async (...flags: string[]) => {
      const done = await run(folder, matrix, { env: { OPENAI_API_KEY: KEY } }, flags);
      expect({ code: done.code, stderr: done.code === 0 ? '' : done.stderr }).toEqual({ code: 0, stderr: '' });
      return done;
    };

    const first = await night(...log);
    expect(scores(first, TRAVELLED)).toEqual({ untaught: { f1: 0, lessons: 0 }, taught: { f1: 0, lessons: 0 } });
    await harvest(first);
    // The same run again is the same evidence.
    expect(await harvest(first)).toMatchObject({ runs: [{ added: 0 }] });
    expect(await states()).toEqual([['misread', 'candidate']]);

    const second = await night(...log);
    // A candidate reaches no context: the night is as the first was.
    expect(second.rows.flatMap((row) => row.lessons)).toEqual([]);
    expect(scores(second, TRAVELLED).taught?.f1).toBe(0);
    await harvest(second);
    expect(await states()).toEqual([['misread', 'verified']]);

    const third = await night(...log);
    expect(scores(third, TRAVELLED)).toEqual({ untaught: { f1: 0, lessons: 0 }, taught: { f1: 1, lessons: 1 } });
    expect(scores(third, PEN)).toEqual({ untaught: { f1: 1, lessons: 0 }, taught: { f1: 0, lessons: 1 } });
    for (const question of [LIVING, LIVES])
      expect(scores(third, question)).toEqual({ untaught: { f1: 1, lessons: 0 }, taught: { f1: 1, lessons: 1 } });
    expect(third.result.lessons).toMatchObject({
      lessons: 1,
      in_sample: [{ fixture: FIXTURE, questions: [TRAVELLED] }],
    });
    expect(third.result.lessons?.pairs).toEqual([
      {
        arm: 'taught',
        twin: 'untaught',
        scorer: 'token-f1',
        in_sample: { n: 1, better: 1, worse: 0, equal: 0 },
        out_of_sample: { n: 3, better: 0, worse: 1, equal: 2 },
      },
    ]);
    const [untaught, taught] = third.result.arms.map(({ scores: all, lessons: by }) => ({
      all: all['token-f1'],
      in: by?.in_sample['token-f1']?.mean,
      out: by?.out_of_sample['token-f1']?.mean,
    }));
    // What the lesson gains where it was learnt hides, in the mean of all, what it costs elsewhere.
    expect(untaught).toEqual({ all: 0.75, in: 0, out: 1 });
    expect(taught).toEqual({ all: 0.75, in: 1, out: 2 / 3 });

    const page = await readFile(join(PROJECT, 'docs/lessons.md'), 'utf8');
    const [table, paired] = showInjection(third.result, 'token-f1').split('\n\n');
    expect(page).toContain(`\`\`\`text\n${table}\n\n${paired}\n\`\`\`\n`);

    // What the lesson did to the other question is a failure too, and begins at the beginning.
    await harvest(third);
    expect((await states()).sort()).toEqual([
      ['misread', 'verified'],
      ['not-retrieved', 'candidate'],
    ]);
  } finally {
    await server.close();
  }
});
