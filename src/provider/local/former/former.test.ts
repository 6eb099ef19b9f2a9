import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LanguageResources, loadLanguage } from '../language/resources.js';
import { formFacts } from './former.js';

let language: LanguageResources;
beforeAll(async () => {
  language = await loadLanguage((path) => readFile(path));
}, 60_000);

interface Said {
  readonly speaker: string;
  readonly text: string;
}

const form = (said: readonly Said[], beliefs: readonly object[] = []) =>
  formFacts(
    {
      beliefs,
      people: [],
      turns: said.map(({ speaker, text }, i) => ({
        at: `2025-06-18T10:0${i}:00`,
        caption: null,
        corrected: false,
        id: `T${i + 1}`,
        speaker,
        text,
      })),
    },
    language,
  );
const statements = (said: readonly Said[]) => form(said).beliefs.map((belief) => belief.statement);
const petra = (text: string): Said => ({ speaker: 'Petra', text });
const samir = (text: string): Said => ({ speaker: 'Samir', text });

describe('former', () => {
  it('PR-1 names the speaker and makes verbs agree', () => {
    expect(statements([petra("I'm renting a barge near the weir. I also teach pottery on Mondays.")])).toEqual([
      'Petra is renting a barge near the weir.',
      'Petra also teaches pottery on Mondays.',
    ]);
  });

  it('PR-1 names the addressee where two people talk', () => {
    expect(statements([petra('Good morning!'), samir("You've painted your door bright green.")])).toEqual([
      "Petra has painted Petra's door bright green.",
    ]);
  });

  it('PR-1 drops questions, greetings and exclamations', () => {
    expect(statements([petra('Hello there! How are you?'), samir('Wow! Lovely.')])).toEqual([]);
  });

  it('PR-1 writes what a relative date means, and observes on that day', () => {
    const [belief] = form([petra('I sold the piano yesterday.')]).beliefs;
    expect(belief).toMatchObject({
      statement: 'Petra sold the piano yesterday (17 June 2025).',
      observed_at: '2025-06-17',
      sources: ['T1'],
    });
    expect(form([petra('I will sell the piano next month.')]).beliefs[0]).toMatchObject({
      observed_at: '2025-06-18T10:00:00',
    });
  });

  it('PR-1 joins an answer with its question, and cites both turns', () => {
    const [belief] = form([samir('Where do you work now?'), petra('The glass museum.')]).beliefs;
    expect(belief?.statement).toContain('Where does Petra work now?');
    expect(belief?.statement).toContain('The glass museum.');
    expect(belief?.sources).toEqual(['T1', 'T2']);
  });

  it('PR-1 knows people by kinship words', () => {
    const { people } = form([petra('My brother Otto repairs clocks.')]);
    expect(people).toEqual([
      { name: 'Petra', aliases: [], role: null, sources: ['T1'] },
      { name: 'Otto', aliases: [], role: "Petra's brother", sources: ['T1'] },
    ]);
  });

  it('PR-1 says whom a pronoun means', () => {
    expect(statements([petra('Mrs Baines lent me a ladder. She lives above the bank.')])[1]).toBe(
      'She (Mrs Baines) lives above the bank.',
    );
  });

  it('ST-2 retires what a later statement replaces, and nothing else', () => {
    const known = [
      {
        ref: 'B1',
        statement: 'Petra is renting a flat near the weir.',
        subjects: ['Petra'],
        observed_at: '2025-01-01',
      },
      {
        ref: 'B2',
        statement: 'Samir is renting a flat near the school.',
        subjects: ['Samir'],
        observed_at: '2025-01-01',
      },
      { ref: 'B3', statement: 'Petra plays the oboe.', subjects: ['Petra'], observed_at: '2025-01-01' },
    ];
    expect(form([petra('I left the flat last Sunday.')], known).beliefs[0]?.supersedes).toEqual(['B1']);
    expect(form([petra('I painted the flat last Sunday.')], known).beliefs[0]?.supersedes).toEqual([]);
    expect(form([petra('I moved my desk to the window.')], known).beliefs[0]?.supersedes).toEqual([]);
  });
});
