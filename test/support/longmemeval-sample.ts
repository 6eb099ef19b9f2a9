import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type SeededRandom, seededRandom } from '../../src/core/random.js';

/** One element of the public layout, as a test may bend it. */
export interface MadeUpItem {
  [other: string]: unknown;
  question_id: string;
  question_type: string;
  question: string;
  answer?: unknown;
  question_date: string;
  haystack_session_ids: string[];
  haystack_dates: string[];
  haystack_sessions: MadeUpTurn[][];
  answer_session_ids: string[];
}

export interface MadeUpTurn {
  [other: string]: unknown;
  role: string;
  content: string;
  has_answer?: boolean | null;
}

/** What to make. Nothing in it is taken from LongMemEval; its layout and the irregularities of its files are. */
export interface LongMemEvalShape {
  readonly questions: number;
  readonly sessions: number;
  /** A session, at least 2. */
  readonly turns: number;
  /** Words of an assistant's turn; the real ones have hundreds. */
  readonly words?: number;
  readonly seed?: string;
  /** Whether each question has one of `IRREGULARITIES`, in turn. */
  readonly irregular?: boolean;
}

const TYPES = [
  'single-session-user',
  'single-session-assistant',
  'single-session-preference',
  'temporal-reasoning',
  'knowledge-update',
  'multi-session',
];
const THINGS = [
  'kettle',
  'violin',
  'ladder',
  'passport',
  'tent',
  'microscope',
  'accordion',
  'lantern',
  'sewing machine',
];
const PLACES = ['the attic', 'a blue trunk', 'the hall cupboard', 'my sister’s garage', 'the shed', 'a bank vault'];
const TOPICS = ['sourdough', 'tax forms', 'tide tables', 'chess openings', 'house plants', 'bus routes', 'old maps'];
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Everything odd that the public files hold, or that a copy of them may; each bends an item. */
export const IRREGULARITIES: Readonly<Record<string, (item: MadeUpItem) => void>> = {
  'an integer for an answer': (item) => {
    item.answer = 3;
  },
  'a session id twice': (item) => {
    const others = item.haystack_session_ids.flatMap((id, at) => (id.startsWith('answer') ? [] : [at]));
    item.haystack_session_ids[others[1] as number] = item.haystack_session_ids[others[0] as number] as string;
  },
  'sessions out of the order of time': (item) => {
    for (const key of ['haystack_session_ids', 'haystack_dates', 'haystack_sessions'] as const) item[key].reverse();
  },
  'a session after the question': (item) => {
    item.haystack_dates[0] = stamp(10_000_000);
  },
  'a turn without words': (item) => {
    (item.haystack_sessions[0] as MadeUpTurn[])[1] = { role: 'assistant', content: ' \n' };
  },
  'a session without turns': (item) => {
    item.haystack_sessions[0] = [];
  },
  'no turn that is marked': (item) => {
    for (const turn of item.haystack_sessions.flat()) delete turn.has_answer;
  },
  'a weekday of another date': (item) => {
    item.haystack_dates[0] = (item.haystack_dates[0] as string).replace(/\(...\)/, (day) =>
      day === '(Mon)' ? '(Tue)' : '(Mon)',
    );
  },
  'characters that no store holds': (item) => {
    (item.haystack_sessions[0] as MadeUpTurn[])[0] = { role: 'user', content: 'one\u0000two \ud800 three' };
  },
  'an answer session that is not there': (item) => {
    item.answer_session_ids.push('answer_lost_1');
  },
  'a marked turn of a session that is not named': (item) => {
    (item.haystack_sessions[0] as MadeUpTurn[])[0] = { role: 'user', content: 'This is marked too.', has_answer: true };
  },
  'a question id that is no folder’s name': (item) => {
    item.question_id = `GPT4/${item.question_id}`;
  },
  'fields that no fixture takes': (item) => {
    item.note = 'x';
    ((item.haystack_sessions[0] as MadeUpTurn[])[0] as MadeUpTurn).tokens = 4;
  },
  'a role that is neither of the two': (item) => {
    ((item.haystack_sessions[0] as MadeUpTurn[])[0] as MadeUpTurn).role = 'system';
  },
  'white space around an answer': (item) => {
    item.answer = ` ${item.answer}\n`;
  },
  'marks that say no': (item) => {
    (item.haystack_sessions[0] as MadeUpTurn[]).forEach((turn, index) => {
      turn.has_answer = index % 2 === 0 ? false : null;
    });
  },
  'two sessions in one minute': (item) => {
    item.haystack_dates[1] = item.haystack_dates[0] as string;
  },
};

/** The items of a shape, one at a time; the same shape gives the same items on every machine. */
export function* longMemEvalItems(shape: LongMemEvalShape): Generator<MadeUpItem> {
  const bends = Object.values(IRREGULARITIES);
  for (let index = 0; index < shape.questions; index += 1) {
    const item = plainItem(shape, index, seededRandom(`${shape.seed ?? 'longmemeval'}\0${index}`));
    if (shape.irregular === true) bends[index % bends.length]?.(item);
    yield item;
  }
}

/** Writes a file of the shape, item by item: it may be larger than memory. */
export async function writeLongMemEval(path: string, shape: LongMemEvalShape): Promise<void> {
  const file = createWriteStream(path);
  let before = '[';
  for (const item of longMemEvalItems(shape)) {
    if (!file.write(`${before}${JSON.stringify(item)}`)) await once(file, 'drain');
    before = ',\n';
  }
  file.end(before === '[' ? '[]' : ']\n');
  await once(file, 'close');
}

function plainItem({ sessions, turns, words = 12 }: LongMemEvalShape, index: number, random: SeededRandom): MadeUpItem {
  const hex = random.integer(0, 0x7fffffff).toString(16).padStart(8, '0');
  // One question in ten has no answer in its history, as its id says; the session that comes near is still named and not marked.
  const isAbstention = index % 10 === 9;
  const thing = pick(random, THINGS);
  const place = pick(random, PLACES);
  const answering = random.integer(0, sessions - 1);
  const start = random.integer(0, 300) * 1440;
  const ids = Array.from({ length: sessions }, (_, at) =>
    at === answering ? `answer_${hex}_1` : at % 2 === 0 ? `sharegpt_${hex}x${at}_0` : `ultrachat_${index * 1000 + at}`,
  );
  return {
    question_id: `${index % 5 === 4 ? 'gpt4_' : ''}${hex}${index}${isAbstention ? '_abs' : ''}`,
    question_type: TYPES[index % TYPES.length] as string,
    question: isAbstention ? `Where do I keep my second ${thing}?` : `Where do I keep my ${thing}?`,
    answer: isAbstention ? `You did not mention a second ${thing}.` : place,
    question_date: stamp(start + sessions * 1440 + 60),
    haystack_session_ids: ids,
    haystack_dates: ids.map((_, at) => stamp(start + at * 1440 + random.integer(0, 600))),
    haystack_sessions: ids.map((_, at) =>
      session(random, turns, words, at === answering ? { thing, place, marks: !isAbstention } : null),
    ),
    answer_session_ids: [ids[answering] as string],
  };
}

function session(
  random: SeededRandom,
  turns: number,
  words: number,
  fact: { readonly thing: string; readonly place: string; readonly marks: boolean } | null,
): MadeUpTurn[] {
  const told = random.integer(0, Math.floor((turns - 1) / 2)) * 2;
  return Array.from({ length: turns }, (_, at): MadeUpTurn => {
    const topic = pick(random, TOPICS);
    if (at % 2 === 1) {
      const reply = Array.from({ length: words }, () => pick(random, TOPICS)).join(', then ');
      return { role: 'assistant', content: `Here is what helps with ${topic}: ${reply}.` };
    }
    if (fact === null || at !== told) return { role: 'user', content: `Can you explain ${topic} to me?` };
    const content = `By the way, I keep my ${fact.thing} in ${fact.place}. How about ${topic}?`;
    return { role: 'user', content, ...(fact.marks ? { has_answer: true } : {}) };
  });
}

function pick<T>(random: SeededRandom, items: readonly T[]): T {
  return items[random.integer(0, items.length - 1)] as T;
}

/** `2023/05/20 (Sat) 02:21`, so many minutes after the start of 2023. */
function stamp(minutes: number): string {
  const date = new Date(Date.UTC(2023, 0, 1) + minutes * 60_000);
  const [day, time] = date.toISOString().split('T') as [string, string];
  return `${day.replaceAll('-', '/')} (${DAYS[date.getUTCDay()]}) ${time.slice(0, 5)}`;
}
