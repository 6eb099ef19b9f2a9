import { expect, test } from 'vitest';
import { SCRIPTED_SETTINGS, type Script, ScriptedProvider } from '../../../test/support/scripted-formation.js';
import type { Completion } from '../../provider/completion.js';
import { strictSchemaProblem } from '../../provider/strict-schema.js';
import type { CurrentBelief, StoredTurn } from '../beliefs/belief-store.js';
import { type CheckedCompletion, checkCompletion } from './completion-check.js';
import { formationRequest } from './formation-request.js';
import { formationPolicy } from './policies.js';

const TURNS: readonly StoredTurn[] = [
  {
    id: 'D1:1',
    version: 1,
    session: 's',
    at: '2023-05-08T13:56:00',
    speaker: 'Ada',
    text: 'Hi.',
    caption: null,
    sensitivity: 'internal',
  },
  {
    id: 'D1:2',
    version: 2,
    session: 's',
    at: '2023-05-08T13:57:00',
    speaker: 'Bo',
    text: 'Ho.',
    caption: 'a hat',
    sensitivity: 'public',
  },
];
const BELIEFS: readonly CurrentBelief[] = [
  { id: 'b1.1', statement: 'Ada lives in Oslo.', subjects: ['Ada'], observed_at: '2023-05-01' },
];
const BATCH = { id: 'session_1', is_correction: false, turns: TURNS };

function requestWith(beliefs: readonly CurrentBelief[]) {
  const people = [{ name: 'Melanie', aliases: ['Mel'], role: null }];
  return formationRequest(formationPolicy('facts@1'), SCRIPTED_SETTINGS, BATCH, { beliefs, people });
}

async function check(
  answer: Script[string],
  changes: Partial<Completion> = {},
  beliefs: readonly CurrentBelief[] = BELIEFS,
): Promise<CheckedCompletion> {
  const formation = await requestWith(beliefs);
  const completion = await new ScriptedProvider({ session_1: answer }, changes).complete(formation.request);
  return checkCompletion(BATCH, formation, completion);
}

test('FB-3 a request is the policy and the canonical JSON of batch and state', async () => {
  const { request } = await requestWith(BELIEFS);
  expect(request.messages.map((message) => message.role)).toEqual(['system', 'user']);
  expect(request.messages[0]?.content).toBe(formationPolicy('facts@1').instructions);
  expect(request.messages[1]?.content).toBe(
    '{"beliefs":[{"observed_at":"2023-05-01","ref":"B1","statement":"Ada lives in Oslo.","subjects":["Ada"]}],' +
      '"people":[{"aliases":["Mel"],"name":"Melanie","role":null}],' +
      '"turns":[{"at":"2023-05-08T13:56:00","caption":null,"corrected":false,"id":"D1:1","speaker":"Ada","text":"Hi."},' +
      '{"at":"2023-05-08T13:57:00","caption":"a hat","corrected":false,"id":"D1:2","speaker":"Bo","text":"Ho."}]}',
  );
  expect(request.metadata).toEqual({ stage: 'formation', fixture: 'scripted', batch: 'session_1', question: null });
});

test('PR-1 the schema lies within strict structured output, with and without references', async () => {
  expect(strictSchemaProblem((await requestWith(BELIEFS)).request.response_schema.schema)).toBeNull();
  expect(strictSchemaProblem((await requestWith([])).request.response_schema.schema)).toBeNull();
});

test('FB-4 a supported completion is taken as it is; what is listed twice counts once', async () => {
  const checked = await check({
    beliefs: [
      {
        statement: 'Ada moved.',
        subjects: ['Ada', 'Ada'],
        sources: ['D1:2', 'D1:1', 'D1:2'],
        supersedes: ['B1', 'B1'],
        confidence: 0.25,
      },
      { statement: 'Ada arrived.', sources: ['D1:1'], observed_at: '2023-05-07' },
      { statement: 'Ada left.', sources: ['D1:1'], observed_at: '2023-05-08T09:00:00' },
    ],
    people: [{ name: 'Ada', aliases: ['A.'], role: 'nurse', sources: ['D1:1'] }],
  });
  expect(checked.beliefs[0]).toEqual({
    statement: 'Ada moved.',
    subjects: ['Ada'],
    confidence: 0.25,
    observed_at: '2023-05-08T13:57:00',
    sources: [TURNS[1], TURNS[0]],
    supersedes: ['b1.1'],
  });
  expect(checked.beliefs.slice(1).map((belief) => belief.observed_at)).toEqual(['2023-05-07', '2023-05-08T09:00:00']);
  expect(checked.people).toEqual([{ name: 'Ada', aliases: ['A.'], role: 'nurse', sources: [TURNS[0]] }]);
});

const plain = { statement: 'Ada moved.', sources: ['D1:1'] };

test.each([
  ['a source', { beliefs: [plain, { ...plain, sources: ['D1:1', 'D9:9'] }] }, '$.beliefs[1].sources[1] is no turn'],
  ['a reference', { beliefs: [{ ...plain, supersedes: ['B2'] }] }, '$.beliefs[0].supersedes[0] is no belief'],
  ["a person's source", { people: [{ name: 'Ada', sources: ['D2:1'] }] }, '$.people[0].sources[0] is no turn'],
])('FB-4 %s that was not shown is an error that names the batch', async (_what, answer, message) => {
  await expect(check(answer)).rejects.toMatchObject({
    kind: 'provider',
    code: 'FORMATION_UNKNOWN_REFERENCE',
    message: expect.stringContaining(`batch session_1: ${message}`),
    details: { batch: 'session_1' },
  });
});

test('FB-4 a reference where no belief was shown is unknown, the empty one too', async () => {
  for (const reference of ['B1', '']) {
    await expect(check({ beliefs: [{ ...plain, supersedes: [reference] }] }, {}, [])).rejects.toMatchObject({
      code: 'FORMATION_UNKNOWN_REFERENCE',
    });
  }
});

test.each<[string, Script[string], Partial<Completion>, RegExp]>([
  ['truncated', { beliefs: [] }, { finish: 'length' }, /truncated/],
  [
    'truncated, also where it cites what it was not shown',
    { beliefs: [{ ...plain, sources: ['D9:9'] }] },
    { finish: 'length' },
    /truncated/,
  ],
  ['of several contents', {}, { contents: ['{}', '{}'] }, /2 contents/],
  ['without content', {}, { contents: [] }, /no content/],
  ['no JSON', 'beliefs: none', {}, /not JSON/],
  ['of another shape', '{"beliefs":[]}', {}, /breaks the schema/],
  ['holding U+0000', { beliefs: [{ ...plain, statement: 'a\u0000b' }] }, {}, /U\+0000/],
  ['holding a lone surrogate', { beliefs: [{ ...plain, statement: 'a\ud800b' }] }, {}, /surrogate/],
  ['without a source', { beliefs: [{ ...plain, sources: [] }] }, {}, /breaks the schema/],
  ['too sure', { beliefs: [{ ...plain, confidence: 1.5 }] }, {}, /breaks the schema/],
  ['of a vague date', { beliefs: [{ ...plain, observed_at: 'May 2023' }] }, {}, /breaks the schema/],
])('FB-11 a completion that is %s is unsupported', async (_what, answer, changes, message) => {
  await expect(check(answer, changes)).rejects.toMatchObject({
    kind: 'provider',
    code: 'FORMATION_UNSUPPORTED_COMPLETION',
    message: expect.stringMatching(message),
  });
});

test('FX-5 a date that is not in the calendar is an error', async () => {
  for (const observed_at of ['2023-02-30', '2023-05-08T24:00:00']) {
    await expect(check({ beliefs: [{ ...plain, observed_at }] })).rejects.toMatchObject({
      code: 'FORMATION_INVALID_DATE',
    });
  }
});

test('FB-4 blank statements, subjects and names are refused', async () => {
  for (const answer of [
    { beliefs: [{ ...plain, statement: ' ' }] },
    { beliefs: [{ ...plain, subjects: [''] }] },
    { people: [{ name: '\n', sources: ['D1:1'] }] },
    { people: [{ name: 'Ada', aliases: [''], sources: ['D1:1'] }] },
  ]) {
    await expect(check(answer)).rejects.toMatchObject({ code: 'FORMATION_BLANK_TEXT' });
  }
});
