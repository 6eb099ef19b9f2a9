import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from '../../src/core/random.js';
import { stageOf, userMessage } from './chat-models.js';
import { command, PROJECT } from './cli.js';
import { KEY, KEY_VARIABLE, type SmallTurn, startPricedServer, writeFixture, writeMatrix } from './cli-priced.js';
import type { FailureRule } from './openai-server/index.js';

/** How a night's reader is. */
export interface Reader {
  /** The chance that it answers a question right, drawn anew each night. */
  readonly quality: number;
  /** Whether its server answers at all. */
  readonly up?: boolean;
}

/** What a night came to, as `night.json` has it. */
export interface NightResult {
  readonly outcome: string;
  readonly exit_code: number;
  readonly run: string | null;
  readonly base: string | null;
  readonly said: readonly string[];
}

/** A nightly job over a reader with real noise, whose server this process is: each night the script runs the built command. */
export interface Nights {
  /** Where runs, nights and pointers lie. */
  readonly artefacts: string;
  night(reader: Reader, flags?: { readonly beginAnew?: boolean; readonly matrix?: string }): Promise<NightResult>;
  close(): Promise<void>;
}

const WORDS = ['amber', 'birch', 'cobalt', 'dune', 'ember', 'fjord', 'garnet', 'heron', 'iris', 'juniper'];

/**
 * @param folder whoever calls removes it.
 * @param seed of the reader's noise.
 */
export async function startNights(
  folder: string,
  seed: string,
  { conversations, questions }: { readonly conversations: number; readonly questions: number },
): Promise<Nights> {
  const state = { night: 0, reader: { quality: 1 } as Reader };
  const down: FailureRule = {
    when: () => state.reader.up === false,
    failure: { kind: 'status', status: 503 },
  };
  const server = await startPricedServer({
    failures: [down],
    answer: (request) => {
      if (stageOf(request) !== 'reader') throw new Error('only the reader is asked');
      const { question } = userMessage(request) as { question: string };
      // By night and question alone: no order of requests changes an answer.
      const isRight =
        seededRandom(`${seed} ${state.night} ${question}`).integer(0, 999_999) < state.reader.quality * 1e6;
      return JSON.stringify({ abstains: false, answer: isRight ? wordOf(question) : 'no idea' });
    },
  });
  const ids = Array.from({ length: conversations }, (_, index) => `talk-${index + 1}`);
  for (const id of ids) await writeTalk(folder, id, questions);
  await writeMatrix(folder, {
    name: 'nightly',
    url: server.url,
    fixtures: ids.map((id) => `./${id}`),
    formation: 'none',
    arms: [{ name: 'turns', retrieval: { strategy: 'bm25', unit: 'turns', limit: 2 } }],
    scoring: ['token-f1', 'exact-match'],
    concurrency: 4,
  });
  const scripts = join(PROJECT, 'scripts/nightly');
  const load = async <T>(name: string): Promise<T> => (await import(pathToFileURL(join(scripts, name)).href)) as T;
  const { night } = await load<{ night(options: unknown, world: unknown): Promise<NightResult> }>('night.mjs');
  const { Artefacts } = await load<{ Artefacts: new (folder: string) => unknown }>('artefacts.mjs');
  const artefacts = join(folder, 'nightly');
  return {
    artefacts,
    night: (reader, { beginAnew = false, matrix = 'nightly.yaml' } = {}) => {
      state.night += 1;
      state.reader = reader;
      const options = {
        matrix: join(folder, matrix),
        failIf: ['token-f1 < -0.02'],
        gateScope: 'these',
        maxProviderErrors: '0.05',
        keep: 5,
        maxOutages: 3,
        beginAnew,
        report: false,
        runFlags: [],
        compareFlags: [],
      };
      return night(options, {
        artefacts: new Artefacts(artefacts),
        command: (args: readonly string[]) => command(args, { cwd: folder, env: { [KEY_VARIABLE]: KEY } }),
        now: () => new Date(Date.UTC(2026, 0, state.night, 2)).toISOString(),
      });
    },
    close: () => server.close(),
  };
}

async function writeTalk(folder: string, id: string, questions: number): Promise<void> {
  const things = Array.from({ length: questions }, (_, index) => `${id} box ${index + 1}`);
  const turns = things.map((thing): SmallTurn => ['Ada', `The word of ${thing} is ${wordOf(thing)}.`]);
  await writeFixture(
    folder,
    id,
    [turns],
    things.map((thing, index) => ({
      question: `What is the word of ${thing}?`,
      expected: [wordOf(thing)],
      evidence: [`S1:${index + 1}`],
    })),
  );
}

/** The word of the box that a text names. */
function wordOf(text: string): string {
  const [, talk, box] = /talk-(\d+) box (\d+)/.exec(text) ?? [];
  return WORDS[(Number(talk) + Number(box)) % WORDS.length] as string;
}
