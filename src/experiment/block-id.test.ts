import { expect, it } from 'vitest';
import { FIXTURE_ID_PATTERN } from '../fixture/field-schemas.js';
import { blockName, blockTitle } from './block-id.js';

it('FB-18 no two blocks have one name: that of a replicate is no fixture’s', () => {
  const second = { fixture: 'mill', replicate: 2 };
  expect(blockName({ fixture: 'mill', replicate: 1 })).toBe('mill');
  expect(blockName(second)).toBe('mill@2');
  expect(FIXTURE_ID_PATTERN.test('mill')).toBe(true);
  expect(FIXTURE_ID_PATTERN.test(blockName(second))).toBe(false);
  expect(blockTitle(second)).toBe('mill, replicate 2');
});
