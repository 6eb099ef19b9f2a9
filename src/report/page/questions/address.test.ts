import { describe, expect, it } from 'vitest';
import { NO_FILTERS, questionsLink, readAddress, writeAddress } from './address.js';

describe('RP-5 where one stands in the questions is in the address', () => {
  it.each([
    { filters: NO_FILTERS, open: { fixture: 'conv-26', question: 'conv-26/q037' } },
    { filters: { ...NO_FILTERS, arm: 'bm25', cause: 'misread' }, open: null },
    {
      filters: { ...NO_FILTERS, text: 'a=b&c#d/ü%' },
      open: { fixture: 'a/b', question: '<script>&"=' },
    },
  ])('RP-5 is read as it was written: %j', (address) => {
    const hash = writeAddress(address);
    expect(readAddress(hash)).toEqual(address);
    expect(hash).toMatch(/^#[^<>"\s]+$/);
  });

  it('RP-5 an anchor of the page is no such address, and nothing chosen is the anchor of the questions', () => {
    expect(readAddress('')).toBeNull();
    expect(readAddress('#verdict')).toBeNull();
    expect(writeAddress({ filters: NO_FILTERS, open: null })).toBe('#questions');
  });

  it('RS-4 what was not written by the page changes nothing else', () => {
    expect(readAddress('#__proto__=x&toString=y&arm=%E0%A4%A')).toEqual({
      filters: { ...NO_FILTERS, arm: '%E0%A4%A' },
      open: null,
    });
  });

  it('RP-5 a section links to the questions that it counts', () => {
    expect(questionsLink({ arm: 'bm25', cause: 'misread' })).toBe('#arm=bm25&cause=misread');
  });
});
