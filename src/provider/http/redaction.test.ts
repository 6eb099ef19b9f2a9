import { expect, it } from 'vitest';
import { QUOTED_CHARACTERS, redact, withoutKey } from './redaction.js';

it('RS-4 takes out the key and what looks like one, wherever the cut would fall', () => {
  expect(redact('the key hunter2 and hunter2', 'hunter2')).toBe('the key [redacted] and [redacted]');
  expect(redact('other sk-proj-AbC123_x-987654 here', null)).toBe('other [redacted] here');
  expect(redact('masked sk-ab****wxyz here', null)).toBe('masked [redacted] here');
  expect(redact('Authorization: Bearer abc.def', null)).toBe('Authorization: [redacted]');
  const key = 'k'.repeat(40);
  expect(redact(`${'x'.repeat(QUOTED_CHARACTERS - 20)}${key}`, key)).not.toContain('kk');
});

it('RS-4 cuts to the bound and leaves no half character', () => {
  const cut = redact('😀'.repeat(400), null);
  expect(cut.length).toBeLessThanOrEqual(QUOTED_CHARACTERS);
  expect(cut.isWellFormed()).toBe(true);
  expect(redact('\ud800', null).isWellFormed()).toBe(true);
});

it('RS-4 withoutKey leaves everything else', () => {
  expect(withoutKey('sk-model-name-large', null)).toBe('sk-model-name-large');
  expect(withoutKey('m-hunter2', 'hunter2')).toBe('m-[redacted]');
});
