import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLanguage } from '../language/resources.js';
import { ExtractiveReader } from './reader.js';

let reader: ExtractiveReader;
beforeAll(async () => {
  reader = new ExtractiveReader(await loadLanguage((path) => readFile(path)));
}, 60_000);

const ask = (question: string, ...context: string[]) =>
  reader.read({ context, present: '2025-12-01T00:00:00', question });
const answer = (question: string, ...context: string[]) => ask(question, ...context).answer;

describe('reader', () => {
  it('LE-6 a line of a lesson is no note: it neither answers nor hides what does', () => {
    const lesson = '[lesson] Earlier questions that ask where about Petra were answered wrongly: Petra lives in Oslo.';
    const note = '[2025-06-01 10:00] Petra: I live in Malmö.';
    expect(ask('Where does Petra live?', lesson).abstains).toBe(true);
    expect(ask('Where does Petra live?', lesson, note)).toEqual(ask('Where does Petra live?', note));
  });

  it('PR-1 abstains on an empty context', () => {
    expect(ask('Where does Petra live?')).toEqual({ abstains: true, answer: '' });
  });

  it('PR-1 resolves a relative date against its line', () => {
    expect(answer('When did Petra sell the piano?', '[2025-06-18 10:00] Petra: I sold the piano yesterday.')).toBe(
      '17 June 2025',
    );
  });

  it('PR-1 takes the written date of a belief, whose line has another day', () => {
    expect(
      answer('When did Petra sell the piano?', '[2025-06-17] (Petra) Petra sold the piano yesterday (17 June 2025).'),
    ).toBe('17 June 2025');
  });

  it.each([
    ['How much did Petra pay for the kayak?', 'I paid £1,250 for the kayak.', '£1,250'],
    ['Which colour did Petra paint the door?', 'I painted the door dark green.', 'dark green'],
    ['Where is the ladder kept?', 'The ladder is behind the boiler.', 'behind the boiler'],
    ['Who is repairing the clock?', 'The clock is being repaired by Mrs Baines.', 'Mrs Baines'],
    ['How long did Petra wait?', 'I waited forty minutes.', 'forty minutes'],
    ['Which instrument does Petra play?', 'I play the oboe in a small band.', 'oboe'],
    ['Which day of the week does Petra swim?', 'I swim every Thursday morning.', 'Thursday morning'],
  ])('%s', (question, text, expected) => {
    expect(answer(question, `[2025-06-18 10:00] Petra: ${text}`)).toBe(expected);
  });

  it('PR-1 tells use from ownership', () => {
    const borrowed = "[2025-06-18 10:00] Petra: The kayak is at the pier. It's not mine, it belongs to Mrs Baines.";
    expect(answer('Does Petra own a kayak?', borrowed)).toBe('No');
    expect(answer('Whose kayak does Petra use?', borrowed)).toBe('Mrs Baines');
    expect(answer('Does Petra own a kayak?', '[2025-06-18 10:00] Petra: I bought a kayak.')).toBe('Yes');
  });

  it('PR-1 prefers the later of two lines that fit alike', () => {
    const lines = ['[2025-01-02 10:00] Petra: I live in Leeds.', '[2025-06-18 10:00] Petra: I live in Crewe now.'];
    expect(answer('Where does Petra live now?', ...lines)).toBe('Crewe');
  });

  it('PR-1 abstains where a long context holds nothing near', () => {
    const lines = Array.from(
      { length: 12 },
      (_, i) => `[2025-06-18 10:${i + 10}] Samir: The ferry was late again and the café was shut.`,
    );
    const question = 'How much did Petra pay for the kayak?';
    expect(ask(question, ...lines).abstains).toBe(true);
    expect(answer(question, ...lines, '[2025-06-19 09:00] Petra: I paid 40 pounds for the kayak.')).toBe('40 pounds');
  });

  it('PR-1 answers alike whatever it read before', () => {
    const line = '[2025-06-18 10:00] Petra: I sold the piano yesterday.';
    const first = ask('When did Petra sell the piano?', line);
    ask('Who sold the piano?', line, '[2025-06-18 11:00] Samir: Not me.');
    expect(ask('When did Petra sell the piano?', line)).toEqual(first);
  });
});
