import { expect, it } from 'vitest';
import { writeRecordedRun } from '../../../test/support/recorded-run.js';
import { digestText } from '../../core/digest.js';
import { openRunRecord } from '../reading/open-run-record.js';
import { Redaction } from './redaction.js';

const LESSON = digestText('a lesson about Ada');
const KEYED = /^sha256:[0-9a-f]{64}$/;

it('RP-7 LE-6 ids of lessons are keyed by their fixture, and the digest of all lessons by all fixtures: names cannot be guessed from them', async () => {
  const fixtures = [
    { id: 'c1', questions: 1 },
    { id: 'c2', questions: 1 },
  ];
  const record = await openRunRecord(await writeRecordedRun({ fixtures, row: () => ({ lessons: [LESSON] }) }));
  const redaction = await Redaction.of(record);
  const ids: string[] = [];
  for await (const { rows } of record.cells()) ids.push(...rows.flatMap((row) => redaction.row(row).lessons));
  // Two arms over each of two fixtures.
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(KEYED);
  expect(ids).not.toContain(LESSON);
  const lessons = { projection: LESSON, lessons: 1 };
  const manifest = redaction.manifest({ lesson_projection: LESSON, lessons });
  expect(manifest.lesson_projection).toMatch(KEYED);
  expect(manifest).toMatchObject({ lessons: { projection: manifest.lesson_projection, lessons: 1 } });
  expect(JSON.stringify(manifest)).not.toContain(LESSON);
  expect(redaction.manifest({ lesson_projection: null, lessons: null })).toMatchObject({
    lesson_projection: null,
    lessons: null,
  });
});

it('RP-7 FB-18 calls of every bank of a fixture are keyed as the fixture is', async () => {
  const redaction = await Redaction.of(await openRunRecord(await writeRecordedRun({ replicates: 2 })));
  const line = (fixture: string) => redaction.ledgerLine({ kind: 'reserve', fixture, body: LESSON });
  expect(line('c1@2').body).toBe(line('c1').body);
  expect(line('c1@2')).toMatchObject({ fixture: 'c1@2', body: expect.stringMatching(KEYED) });
});
