import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Digest, digestJson } from '../../../src/core/digest.js';
import type { Fixture } from '../../../src/fixture/fixture.js';
import { loadFixture } from '../../../src/fixture/load.js';
import { subjectsOf } from '../../../src/fixture/subjects.js';
import type { BeliefState } from '../../../src/parity/parity.js';

/** A fixture by what matters of it: each question rests on one turn of its own. */
export interface RecordedFixtureText {
  readonly id: string;
  /** Its `source`: what it is one conversation of. */
  readonly dataset?: string;
  /** How many, or each. */
  readonly questions: number | readonly RecordedQuestion[];
}

export interface RecordedQuestion {
  readonly question?: string;
  readonly expected?: string;
  readonly category?: string;
  readonly answerable?: boolean;
  /** What was said that answers it. */
  readonly turn?: string;
}

const lines = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Writes a fixture, and loads it: it is a sound one. Its questions are `<id>/q1`, `<id>/q2`, …; their turns `t:1`, `t:2`, …. */
export async function writeRecordedFixture(parent: string, fixture: RecordedFixtureText): Promise<Fixture> {
  const folder = join(parent, fixture.id);
  await mkdir(folder, { recursive: true });
  const asked: readonly RecordedQuestion[] =
    typeof fixture.questions === 'number' ? Array.from({ length: fixture.questions }, () => ({})) : fixture.questions;
  const manifest = {
    format: 'fixture@1',
    id: fixture.id,
    title: `Conversation ${fixture.id}`,
    owner: { tenant: 'tests', principal: fixture.id },
    source: fixture.dataset ?? 'made-up',
    licence: 'CC0-1.0',
    review: { status: 'unreviewed', by: null, at: null },
  };
  await writeFile(join(folder, 'fixture.yaml'), stringify(manifest));
  await writeFile(
    join(folder, 'history.jsonl'),
    lines(
      asked.map(({ turn }, index) => ({
        kind: 'turn',
        id: `t:${index + 1}`,
        session: 's1',
        at: '2024-01-02T10:00:00',
        speaker: 'Ilse',
        text: turn ?? `The answer of ${fixture.id} to number ${index + 1} is answer ${index + 1}.`,
        sensitivity: 'internal',
      })),
    ),
  );
  await writeFile(
    join(folder, 'questions.jsonl'),
    lines(
      asked.map(({ question, expected, category, answerable = true }, index) => {
        const text = question ?? `What is number ${index + 1} of ${fixture.id}?`;
        return {
          id: `${fixture.id}/q${index + 1}`,
          question: text,
          asked_at: '2024-03-01T09:00:00',
          subjects: subjectsOf(text, ['Ilse']),
          category: category ?? (answerable ? 'single-hop' : 'adversarial'),
          answerable,
          expected: answerable ? [expected ?? `answer ${index + 1}`] : [],
          evidence: answerable ? [`t:${index + 1}`] : [],
        };
      }),
    ),
  );
  return loadFixture(folder);
}

/** The beliefs that were formed: one a turn, `b1.1`, `b1.2`, …, in its words. */
export function recordedState(fixture: Fixture): { readonly state: BeliefState; readonly digest: Digest } {
  const { tenant, principal } = fixture.manifest.owner;
  const turns = fixture.history.flatMap((event) => (event.kind === 'turn' ? [event] : []));
  const state: BeliefState = {
    format: 'belief-state@1',
    tables: {
      belief: turns.map(({ at, text }, index) => ({
        batch: 's1',
        confidence: 0.9,
        id: `b1.${index + 1}`,
        observed_at: at,
        position: index + 1,
        principal,
        sensitivity: 1,
        statement: text,
        subjects: ['Ilse'],
        tenant,
        visible_from: at,
      })),
      belief_source: turns.map(({ id }, index) => ({
        belief_id: `b1.${index + 1}`,
        ordinal: 1,
        principal,
        tenant,
        turn_id: id,
        turn_version: 1,
      })),
      person: [],
      person_source: [],
      supersession: [],
      turn: turns.map(({ id, at, session, speaker, text }, index) => ({
        caption: null,
        erased: false,
        id,
        position: index + 1,
        principal,
        said_at: at,
        sensitivity: 1,
        session,
        speaker,
        tenant,
        text,
        version: 1,
      })),
    },
  };
  return { state, digest: digestJson(state) };
}
