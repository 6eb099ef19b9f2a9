import { appendFile, cp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestJson } from '../../src/core/digest.js';
import type { LessonEvent } from '../../src/lessons/lesson-event.js';
import type { Lesson, Transition } from '../../src/lessons/lessons.js';
import type { ThresholdProfile } from '../../src/lessons/threshold-profile.js';
import { type CliResult, command, documentOf, exits } from '../support/cli.js';
import { BM25, KEY, KEY_VARIABLE } from '../support/cli-priced.js';
import { keptFolder } from '../support/kept-folder.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { startRemoteServer, writeRemoteMatrix } from '../support/remote-run.js';
import { keptSmall, type Small } from '../support/small-matrix.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Harvested {
  readonly torn_bytes: number;
  readonly runs: readonly {
    readonly run: string;
    readonly at: string;
    readonly rows: number;
    readonly failures: number;
    readonly added: number;
    readonly known: number;
    readonly left_out: Readonly<Record<string, number>>;
  }[];
  readonly states: Readonly<Record<string, number>>;
}
interface Listed {
  readonly calibrated: boolean;
  readonly events: number;
  readonly lessons: readonly Lesson[];
}

interface Replayed extends Omit<Listed, 'events'> {
  readonly profile: ThresholdProfile;
  readonly profile_digest: string;
  readonly transitions: readonly Transition[];
}

const GUARD = `sha256:${'9'.repeat(64)}`;
/** Two nights of one matrix by a remote reader that is wrong about the same question both times, with lessons that are never there yet. */
let remote: Awaited<ReturnType<typeof keptFolder>>;
let server: OpenAiServer;
let nights: string[];
/** Two runs of one matrix by a local reader, which computes the same each time. */
let local: { readonly small: Small; remove(): Promise<void> };

async function lessons(cwd: string, ...args: readonly string[]): Promise<CliResult> {
  return command(['lessons', ...args], { cwd });
}
async function told<T>(cwd: string, ...args: readonly string[]): Promise<T> {
  return documentOf(await exits(0, lessons(cwd, ...args, '--json'))) as T;
}
const eventsIn = async (folder: string): Promise<string[]> =>
  (await readFile(join(folder, 'lessons/lessons.jsonl'), 'utf8')).split('\n').filter(Boolean);

beforeAll(async () => {
  remote = await keptFolder();
  server = await startRemoteServer();
  const matrix = await writeRemoteMatrix(remote.path, server, { arms: [BM25] });
  const flags = ['run', matrix, '--out', join(remote.path, 'runs'), '--json'];
  nights = [];
  for (let night = 0; night < 2; night += 1) {
    const ran = await exits(0, command(flags, { env: { [KEY_VARIABLE]: KEY } }));
    nights.push((documentOf(ran) as { path: string }).path);
  }
  local = await keptSmall();
  for (let night = 0; night < 2; night += 1) await exits(0, local.small.run('run'));
});
afterAll(async () => {
  await server.close();
  await remote.remove();
  await local.remove();
});

describe('lessons from runs', () => {
  it('LE-6 harvesting one run twice adds nothing, and two nights of a local reader verify nothing', async () => {
    const folder = await temporaryFolder();
    await cp(local.small.folder, folder, { recursive: true });
    const first = await told<Harvested>(folder, 'harvest', 'latest', '--out', 'runs');
    expect(first.runs[0]?.added).toBeGreaterThan(0);
    const before = await eventsIn(folder);
    const again = await told<Harvested>(folder, 'harvest', '--out', 'runs');
    expect(again.runs[0]).toMatchObject({ added: 0, known: first.runs[0]?.added });
    expect(await eventsIn(folder)).toEqual(before);
    expect((await stat(join(folder, 'lessons/lessons.jsonl'))).mode & 0o777).toBe(0o600);
    const both = await told<Harvested>(folder, 'harvest', ...(await runsIn(folder)));
    expect(both.runs).toHaveLength(2);
    expect(Object.keys(both.states)).toEqual(['candidate']);
  });

  it('LE-6 LE-2 two nights of a remote reader that fails alike verify a lesson; show tells by which events', async () => {
    const folder = await temporaryFolder();
    // The later one is named first: runs are harvested in the order of time.
    const harvested = await told<Harvested>(folder, 'harvest', ...[...nights].reverse());
    expect(harvested.runs.map(({ at }) => at)).toEqual(harvested.runs.map(({ at }) => at).sort());
    expect(harvested.states.verified).toBeGreaterThan(0);
    const { lessons: listed, calibrated } = await told<Listed>(folder, 'list', '--state', 'verified');
    expect(calibrated).toBe(false);
    const [lesson] = listed as [Lesson];
    const prefix = lesson.lesson.slice('sha256:'.length, 'sha256:'.length + 12);
    const shown = await told<{
      lesson: Lesson;
      transitions: Transition[];
      causes: { digest: string; event: LessonEvent }[];
    }>(folder, 'show', prefix);
    expect(shown.causes.map(({ digest }) => digest)).toEqual(shown.transitions.at(-1)?.lineage.evidence);
    for (const { digest, event } of shown.causes) expect(digestJson(event)).toBe(digest);
    expect(shown.lesson).toEqual(lesson);
    expect(shown.transitions.map(({ rule }) => rule)).toEqual(['opened-by-failure', 'verified-by-recurrence']);
    expect(shown.transitions.at(-1)?.lineage.evidence).toHaveLength(2);
    const text = (await exits(0, lessons(folder, 'show', lesson.lesson))).stdout;
    expect(text).toContain('not calibrated');
    expect((await exits(0, lessons(folder, 'list'))).stdout).toContain(prefix);
  });

  it('LE-6 no label is in the log: neither an expected answer nor an id of evidence nor a category', async () => {
    const folder = await temporaryFolder();
    await told(folder, 'harvest', ...nights);
    const labels = (await readFile(join(remote.path, 'small/questions.jsonl'), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { category: string; expected: string[]; evidence: string[] });
    const log = (await eventsIn(folder)).join('\n');
    for (const { category, expected, evidence } of labels)
      for (const word of [category, ...expected, ...evidence]) expect(log).not.toContain(JSON.stringify(word));
  });

  it('LE-5 LE-1 replay gives the states at a time, and the same bytes from a log whose lines lie in another order', async () => {
    const folder = await temporaryFolder();
    const { runs } = await told<Harvested>(folder, 'harvest', ...nights);
    const whole = await exits(0, lessons(folder, 'replay', '--json'));
    const lines = await eventsIn(folder);
    await writeFile(join(folder, 'lessons/lessons.jsonl'), `${[...lines].reverse().join('\n')}\n`);
    expect((await exits(0, lessons(folder, 'replay', '--json'))).stdout).toBe(whole.stdout);
    const then = await told<Listed>(folder, 'replay', '--at', runs[0]?.at as string);
    expect(new Set(then.lessons.map(({ state }) => state))).toEqual(new Set(['candidate']));
    const before = await told<Listed>(folder, 'replay', '--at', '2020-01-01T00:00:00Z');
    expect(before.lessons).toEqual([]);
    expect(await eventsIn(folder)).toHaveLength(lines.length);
  });

  it('LE-5 replay under other thresholds, from a file: their digest stands in every lineage, and the log stays as it is', async () => {
    const folder = await temporaryFolder();
    await told(folder, 'harvest', ...nights);
    const before = await eventsIn(folder);
    const paper = await told<Replayed>(folder, 'replay');
    expect(paper.lessons.map(({ state }) => state)).toContain('verified');
    const strict = { ...paper.profile, name: 'strict', version: 3, recurrence_runs: 3 };
    await writeFile(join(folder, 'strict.json'), JSON.stringify(strict));
    const replayed = await told<Replayed>(folder, 'replay', '--profile', 'strict.json');
    expect(replayed).toMatchObject({ profile: strict, calibrated: false });
    expect(new Set(replayed.lessons.map(({ state }) => state))).toEqual(new Set(['candidate']));
    expect(replayed.profile_digest).not.toBe(paper.profile_digest);
    expect(new Set(replayed.transitions.map(({ lineage }) => lineage.profile_digest))).toEqual(
      new Set([replayed.profile_digest]),
    );
    expect((await exits(0, lessons(folder, 'replay', '--profile', 'strict.json'))).stdout).toContain(
      'thresholds strict 3',
    );
    expect(await eventsIn(folder)).toEqual(before);
    await writeFile(join(folder, 'claims.json'), JSON.stringify({ ...strict, calibrated: true, recurrence_runs: 1 }));
    const refused = documentOf(await exits(2, lessons(folder, 'replay', '--profile', 'claims.json', '--json')));
    expect((refused as { errors: unknown[] }).errors).toHaveLength(2);
    const missing = await exits(2, lessons(folder, 'replay', '--profile', 'none.json'));
    expect(missing.stderr).toContain('LESSON_PROFILE_UNREADABLE');
  });

  it('LE-3 evaluate records its present as an event, and nothing without it', async () => {
    const folder = await temporaryFolder();
    await told(folder, 'harvest', nights[0] as string);
    const lines = await eventsIn(folder);
    const at = '2099-01-01T00:00:00.000Z';
    const evaluated = await told<{ at: string; transitions: unknown[] }>(folder, 'evaluate', '--at', at);
    expect(evaluated).toMatchObject({ at, transitions: [] });
    const added = (await eventsIn(folder)).filter((line) => !lines.includes(line));
    expect(added.map((line) => JSON.parse(line))).toEqual([
      { format: 'lesson-event@1', at, extension: true, kind: 'evaluation' },
    ]);
    const now = await exits(0, lessons(folder, 'evaluate'));
    expect(await eventsIn(folder)).toHaveLength(lines.length + 2);
    // What is written cannot be taken back: a present that has not come is told of.
    const ahead = await exits(0, lessons(folder, 'evaluate', '--at', '2099-01-02T00:00:00Z'));
    expect(ahead.stderr).toContain('2099-01-02T00:00:00.000Z has not come yet');
    expect(now.stderr).not.toContain('has not come yet');
  });

  it('LE-2 LE-3 people enforce and compile what is verified, by name; nothing else, and a refusal leaves the log alone', async () => {
    const folder = await temporaryFolder();
    await told(folder, 'harvest', nights[0] as string);
    const [candidate] = (await told<Listed>(folder, 'list')).lessons as [Lesson];
    const early = await exits(2, lessons(folder, 'enforce', candidate.lesson, '--actor', 'Ann'));
    expect(early.stderr).toContain('LESSON_TRANSITION_REFUSED');
    await told(folder, 'harvest', ...nights);
    const [verified] = (await told<Listed>(folder, 'list', '--state', 'verified')).lessons as [Lesson];
    const before = await eventsIn(folder);
    const badly = await exits(2, lessons(folder, 'enforce', verified.lesson, '--actor', ' ', '--json'));
    expect(documentOf(badly)).toMatchObject({ errors: [{ code: 'LESSON_EVENT_INVALID' }] });
    expect(await eventsIn(folder)).toEqual(before);
    const enforced = await told<{ transitions: Transition[] }>(
      ...([folder, 'enforce', verified.lesson, '--actor', 'Ann', '--reason', 'seen-twice'] as const),
    );
    expect(enforced.transitions).toMatchObject([{ from: 'verified', to: 'enforced', rule: 'enforced-by-human' }]);
    await told(folder, 'compile', verified.lesson, '--actor', 'Ann', '--guard', GUARD);
    expect(await told(folder, 'show', verified.lesson)).toMatchObject({ lesson: { state: 'compiled' } });
  });

  it('LE-6 import takes events of other logs, each once, and none where one of them is no event', async () => {
    const [here, there] = [await temporaryFolder(), await temporaryFolder()];
    await told(there, 'harvest', nights[0] as string);
    const file = join(there, 'lessons/lessons.jsonl');
    const count = (await eventsIn(there)).length;
    expect(await told(here, 'import', file)).toMatchObject({ added: count, known: 0 });
    expect(await told(here, 'import', file)).toMatchObject({ added: 0, known: count });
    await appendFile(file, '{"format":"lesson-event@1","kind":"revoke"}\n');
    const refused = await exits(2, lessons(here, 'import', file));
    expect(refused.stderr).toContain('LESSON_LEFT_OPEN');
    expect(refused.stderr).toContain(`lessons.jsonl:${count + 1}`);
    expect(await eventsIn(here)).toHaveLength(count);
  });

  it('LE-6 a torn last line is reported and left out; a broken one in the middle stops with its number', async () => {
    const folder = await temporaryFolder();
    await told(folder, 'harvest', nights[0] as string);
    const file = join(folder, 'lessons/lessons.jsonl');
    const whole = await told<Listed>(folder, 'list');
    await appendFile(file, '{"at":"2026');
    const torn = await exits(0, lessons(folder, 'list', '--json'));
    expect(documentOf(torn)).toEqual({ ...whole, torn_bytes: 11 });
    expect(torn.stderr).toContain('11 bytes');
    await appendFile(file, '\n');
    const broken = await exits(2, lessons(folder, 'list'));
    expect(broken.stderr).toContain(`lessons.jsonl:${whole.events + 1}`);
  });

  it.each(['revoke', 'merge', 'split'])('LE-2 %s is left open by the paper, and refused by name', async (word) => {
    const refused = await exits(2, lessons(await temporaryFolder(), word, 'abcdef', '--json'));
    expect(documentOf(refused)).toMatchObject({ errors: [{ code: 'LESSON_LEFT_OPEN' }] });
  });

  it('LE-6 what is not there, and an id that is none or that several have, are refused with a remedy', async () => {
    const folder = await temporaryFolder();
    expect((await exits(2, lessons(folder, 'list'))).stderr).toContain('LESSON_LOG_MISSING');
    expect((await exits(2, lessons(folder, 'harvest'))).stderr).toContain('RUN_NOT_FOUND');
    await told(folder, 'harvest', nights[0] as string);
    expect((await exits(2, lessons(folder, 'show', 'ffffffffffff'))).stderr).toContain('LESSON_UNKNOWN');
    expect((await exits(2, lessons(folder, 'show', 'xyz'))).stderr).toContain('LESSON_UNKNOWN');
    expect((await exits(2, lessons(folder, 'replay', '--at', 'yesterday'))).stderr).toContain('instant');
  });

  it('LE-6 a run whose questions were changed since is not harvested', async () => {
    const folder = await temporaryFolder();
    await cp(local.small.folder, folder, { recursive: true });
    const questions = join(folder, 'fixtures/mill/questions.jsonl');
    await writeFile(questions, (await readFile(questions, 'utf8')).replace('What colour', 'Which colour'));
    const manifest = join((await runsIn(folder))[0] as string, 'run.json');
    const moved = (await readFile(manifest, 'utf8')).replaceAll(local.small.folder, folder);
    await writeFile(manifest, moved);
    const refused = await exits(2, lessons(folder, 'harvest', (await runsIn(folder))[0] as string));
    expect(refused.stderr).toContain('RUN_FIXTURE_CHANGED');
  });
});

async function runsIn(folder: string): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  return (await readdir(join(folder, 'runs'))).sort().map((name) => join(folder, 'runs', name));
}
