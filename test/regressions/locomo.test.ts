import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InvalidInputErrors } from '../../src/core/errors.js';
import type { Fixture } from '../../src/fixture/fixture.js';
import { importLocomo } from '../../src/fixture/importers/locomo.js';
import { loadFixture } from '../../src/fixture/load.js';
import { type MadeUpSample, madeUpLocomo } from '../support/locomo-sample.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'regressions-'));
});
afterEach(() => rm(root, { recursive: true }));

async function imported(samples: MadeUpSample[] = madeUpLocomo()): Promise<Fixture> {
  const inputPath = join(root, 'in.json');
  await writeFile(inputPath, JSON.stringify(samples));
  await importLocomo({ inputPath, outFolder: join(root, 'out'), observations: false });
  return loadFixture(join(root, 'out', 'made-1'));
}

const label = (fixture: Fixture, id: string) => fixture.labels.get(`made-1/${id}`);

test('R-34 category 5: no answer is unanswerable, the trap is never expected, both is answerable by the answer', async () => {
  const fixture = await imported();
  expect(label(fixture, 'q004')).toMatchObject({ answerable: false, expected: [] });
  expect(label(fixture, 'q005')).toMatchObject({ answerable: true, expected: ['No'] });
  const expected = [...fixture.labels.values()].flatMap((each) => each.expected);
  for (const trap of ['2 cats', 'Yes', 'undefined', 'null']) expect(expected).not.toContain(trap);
});

test('R-35 category numbers have LoCoMo’s own names', async () => {
  const samples = madeUpLocomo();
  const sample = samples[0] as MadeUpSample;
  sample.qa = [1, 2, 3, 4, 5].map((category) => ({ question: `${category}?`, category, answer: 'x', evidence: [] }));
  const fixture = await imported(samples);
  expect([...fixture.labels.values()].map((each) => each.category)).toEqual([
    'multi-hop',
    'temporal',
    'open-domain',
    'single-hop',
    'adversarial',
  ]);
});

test('R-36 a numeric answer is its text', async () => {
  expect(label(await imported(), 'q000')?.expected).toEqual(['2']);
});

test('R-40 a date that does not parse is an error, never the present', async () => {
  const samples = madeUpLocomo();
  (samples[0] as MadeUpSample).conversation.session_9_date_time = 'soon';
  const error: unknown = await imported(samples).catch((caught: unknown) => caught);
  expect((error as InvalidInputErrors).errors.map(({ message }) => message)).toEqual([
    'made-1 session_9 has the date-time "soon"',
  ]);
});

test('R-41 session 10 comes after session 9, and session 2 after session 1', async () => {
  const sessions = (await imported()).history.map((event) => (event.kind === 'turn' ? event.session : ''));
  expect([...new Set(sessions)]).toEqual(['session_1', 'session_2', 'session_9', 'session_10']);
});

test('R-42 captions stay, with and without an image’s address; a misspelled field is counted, not lost', async () => {
  const fixture = await imported();
  expect(
    fixture.history.flatMap((event) => (event.kind === 'turn' && event.caption !== null ? [event.caption] : [])),
  ).toEqual(['a red kite', 'a blue kite']);
  const samples = madeUpLocomo();
  const session = (samples[1] as MadeUpSample).conversation.session_1 as Record<string, unknown>[];
  Object.assign(session[0] as object, { blip_captions: 'a pot' });
  const inputPath = join(root, 'misspelled.json');
  await writeFile(inputPath, JSON.stringify(samples));
  const summary = await importLocomo({ inputPath, outFolder: join(root, 'other'), observations: false });
  expect(summary.fields_left_out['turn.blip_captions']).toBe(1);
});

test('R-43 a question that is repeated word for word stays two questions', async () => {
  const { questions, labels } = await imported();
  const same = questions.filter(({ question }) => question === 'How many cats does Ana have?');
  expect(same.map(({ id }) => [id, labels.get(id)?.expected[0]])).toEqual([
    ['made-1/q000', '2'],
    ['made-1/q006', 'two'],
  ]);
});
