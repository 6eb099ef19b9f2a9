import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadText, SOUND } from '../../../test/support/sound-matrix.js';
import { systemClock } from '../../core/clock.js';
import type { InvalidInputErrors } from '../../core/errors.js';
import { UserParts } from './user-parts.js';

const FILES = {
  'rank.mjs': "import './part.mjs';\nexport const rank = () => [];\n",
  'part.mjs': 'export {};\n',
  'score.mjs': 'export const score = () => 1;\n',
  'policy.mjs': "export const instructions = 'Keep facts.';\nexport const people_limit = 5;\n",
};
const MATRIX = SOUND.replace('formation:\n', 'formation:\n  policy: ./policy.mjs\n').replace(
  'arms:\n',
  'scoring: [token-f1, "module:./score.mjs"]\narms:\n  - { name: mine, retrieval: { strategy: module, path: rank.mjs } }\n',
);

describe('RT-6 the modules that a matrix binds', () => {
  it('RT-6 open where they are those that it was loaded with, and stand in for what is built in', async () => {
    const loaded = await loadText(MATRIX, FILES);
    const parts = await UserParts.open(loaded, systemClock);
    try {
      expect(parts.policy).toMatchObject({ instructions: 'Keep facts.', people_limit: 5 });
      expect(parts.policy?.name).toBe(loaded.matrix.formation?.policy);
      const [mine, bm25] = loaded.matrix.arms;
      expect(mine && parts.ranker(mine, 'allotment-band')?.name).toBe('the strategy module rank.mjs');
      expect(bm25 && parts.ranker(bm25, 'allotment-band')).toBeNull();
    } finally {
      await parts.close();
    }
  });

  it.each(['part.mjs', 'score.mjs', 'policy.mjs'] as const)('RT-6 MX-7 refuses a changed %s by name', async (name) => {
    const loaded = await loadText(MATRIX, FILES);
    await writeFile(join(dirname(loaded.path), name), `${FILES[name]}// changed\n`);
    const error = await UserParts.open(loaded, systemClock).catch((thrown: unknown) => thrown as InvalidInputErrors);
    expect((error as InvalidInputErrors).errors.map(({ code, message }) => [code, message.split(' ')[3]])).toEqual([
      ['MODULE_CHANGED', name === 'part.mjs' ? 'rank.mjs' : name],
    ]);
  });
});
