import type { Digest } from '../../../core/digest.js';
import type { LessonBook, Observation, RunLessons } from '../../../experiment/experiment.js';
import type { RecordedRequest, RecordedVerdict, RunRecord } from '../../../experiment/run-record.js';
import type { Fixture } from '../../../fixture/fixture.js';
import type { Question } from '../../../fixture/question.js';
import { answerDetail } from './answer-detail.js';
import { type AskedIn, askedIn } from './asked-in.js';
import { dataBlock } from './data-block.js';
import { FixtureTextsBuilder } from './fixture-texts.js';
import { turnsOfHistory } from './known-turns.js';
import type { DetailBlock, QuestionDetail } from './page-data.js';
import { QuestionIndexBuilder } from './question-index.js';

/** A block of details is closed at so many questions, or so many characters: one is unpacked when one of its questions is opened. */
const BLOCK_QUESTIONS = 20;
const BLOCK_CHARACTERS = 2_000_000;

/**
 * The data of every question, as blocks of the page: details and texts, a fixture at a time, then the index of all.
 *
 * @param book by which the run's lessons are read; without it they are named by their ids alone.
 */
export async function* questionBlocks(
  record: RunRecord,
  book: Pick<LessonBook, 'restore'> | null = null,
): AsyncGenerator<string> {
  const lessons = book === null ? null : await record.lessons(book);
  const index = new QuestionIndexBuilder(record.result);
  const blocks = { made: 0 };
  for await (const { fixture, rows } of rowsByFixture(record)) {
    yield* fixtureBlocks(record, lessons, fixture, rows, index, blocks);
  }
  yield dataBlock('questions-index', index.index());
}

/** The rows of one fixture under all arms and replicates. */
interface FixtureRows {
  readonly fixture: string;
  readonly rows: readonly Observation[];
}

async function* rowsByFixture(record: RunRecord): AsyncGenerator<FixtureRows> {
  let current: { fixture: string; rows: Observation[] } | null = null;
  for await (const { fixture, rows } of record.cells()) {
    if (current !== null && current.fixture !== fixture) {
      yield current;
      current = null;
    }
    current ??= { fixture, rows: [] };
    current.rows.push(...rows);
  }
  if (current !== null) yield current;
}

async function* fixtureBlocks(
  record: RunRecord,
  lessons: RunLessons | null,
  id: string,
  rows: readonly Observation[],
  index: QuestionIndexBuilder,
  blocks: { made: number },
): AsyncGenerator<string> {
  const found = await record.fixture(id);
  const fixture = 'missing' in found ? null : found;
  const place = index.fixture(id, 'missing' in found ? found.missing : null);
  const texts = new FixtureTextsBuilder(turnsOfHistory(fixture?.history ?? []), lessons);
  const asked = new Map(fixture?.questions.map((question) => [question.id, question]));
  let open: { [question: number]: QuestionDetail } = {};
  let size = { questions: 0, characters: 0 };
  const close = (): string => {
    const block: DetailBlock = { fixture: place, questions: open };
    open = {};
    size = { questions: 0, characters: 0 };
    blocks.made += 1;
    return dataBlock(`details-${blocks.made - 1}`, block);
  };
  for (const answered of byQuestion(rows, index)) {
    const [first] = answered as [Observation];
    const requests = await requestsOf(record, answered);
    const sent = asked.has(first.question) ? null : askedIn([...requests.values()]);
    const question = questionFacts(first, asked.get(first.question) ?? null, fixture, sent);
    const number = index.question(place, { ...question, block: blocks.made });
    const answers = [];
    for (const row of answered) {
      index.row(number, row);
      await addState(record, row, texts);
      const request = row.request === null ? null : (requests.get(row.request) ?? null);
      const kept = { request, said: await verdictsOn(record, row) };
      answers.push(answerDetail(row, index.armPlace(row.arm), kept, texts));
    }
    const { text, asked_at, subjects, expected, evidence } = question;
    const detail: QuestionDetail = {
      text,
      asked_at,
      subjects,
      expected,
      evidence: evidence?.map((turn) => texts.turn(turn)) ?? null,
      answers,
    };
    open[number] = detail;
    size = { questions: size.questions + 1, characters: size.characters + JSON.stringify(detail).length };
    if (size.questions >= BLOCK_QUESTIONS || size.characters >= BLOCK_CHARACTERS) yield close();
  }
  if (size.questions > 0) yield close();
  yield dataBlock(`texts-${place}`, texts.texts());
}

/** In load order; the rows of each by arm, replicate and repeat. */
function byQuestion(rows: readonly Observation[], index: QuestionIndexBuilder): Observation[][] {
  const questions = new Map<string, Observation[]>();
  // A repeat has a place of its own in the load: a question stands at that of its first.
  for (const row of [...rows].sort((a, b) => a.position - b.position)) {
    const asked = questions.get(row.question) ?? [];
    asked.push(row);
    questions.set(row.question, asked);
  }
  return [...questions.values()].map((asked) =>
    asked.sort(
      (a, b) => index.armPlace(a.arm) - index.armPlace(b.arm) || a.replicate - b.replicate || a.repeat - b.repeat,
    ),
  );
}

async function requestsOf(record: RunRecord, rows: readonly Observation[]): Promise<Map<string, RecordedRequest>> {
  const requests = new Map<string, RecordedRequest>();
  for (const { request } of rows) {
    if (request === null || requests.has(request)) continue;
    const found = await record.request(request as `sha256:${string}`);
    if (found !== null) requests.set(request, found);
  }
  return requests;
}

async function verdictsOn(
  record: RunRecord,
  { judgements }: Observation,
): Promise<Map<string, readonly RecordedVerdict[]>> {
  const said = new Map<string, readonly RecordedVerdict[]>();
  for (const [judge, { request }] of Object.entries(judgements))
    if (request !== null) said.set(judge, await record.verdicts(judge, request as Digest));
  return said;
}

async function addState(record: RunRecord, row: Observation, texts: FixtureTextsBuilder): Promise<void> {
  if (row.state === null || texts.hasState(row.state)) return;
  const { arm, fixture, replicate } = row;
  const state = await record.state({ arm, fixture, replicate });
  if (state !== null) texts.addState(row.state, state);
}

/** What was asked: by the fixture, and where it is not at hand by what the reader was sent. */
function questionFacts(
  { question: id, category, answerable }: Observation,
  asked: Question | null,
  fixture: Fixture | null,
  sent: AskedIn | null,
) {
  const label = fixture?.labels.get(id) ?? null;
  return {
    id,
    category,
    answerable,
    text: asked?.question ?? sent?.question ?? null,
    asked_at: asked?.asked_at ?? sent?.present ?? null,
    subjects: asked?.subjects ?? [],
    expected: label?.expected ?? null,
    evidence: label?.evidence ?? null,
  };
}
