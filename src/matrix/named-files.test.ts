import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';

const FILES = {
  'rank.mjs': "import './part.mjs';\nexport const rank = () => [];\n",
  'part.mjs': 'export {};\n',
  'score.mjs': 'export const score = () => 1;\n',
  'policy.mjs': "export const instructions = 'Keep facts.';\n",
  'theirs.jsonl': '{"question":"q","answer":"a"}\n',
};
const WITH_FILES = SOUND.replace('formation:\n', 'formation:\n  policy: ./policy.mjs\n').replace(
  'arms:\n',
  'scoring: [token-f1, "module:./score.mjs"]\narms:\n' +
    '  - { name: mine, retrieval: { strategy: module, path: rank.mjs, mode: people } }\n' +
    '  - { name: theirs, retrieval: { strategy: file, path: ./theirs.jsonl } }\n',
);

describe('files of the user’s own in a matrix', () => {
  it('RT-6 RT-7 MX-7 each is bound by its digest, where it counts', async () => {
    const { matrix, digest } = await loadText(WITH_FILES, FILES);
    const sha = expect.stringMatching(/^sha256:/);
    expect(matrix.formation).toMatchObject({
      policy: expect.stringMatching(/^module@sha256:/),
      policy_path: 'policy.mjs',
    });
    expect(matrix.arms[0]?.retrieval).toMatchObject({
      strategy: 'module',
      mode: 'people',
      path: 'rank.mjs',
      digest: sha,
    });
    expect(matrix.arms[1]?.retrieval).toMatchObject({
      strategy: 'file',
      unit: 'turns',
      limit: 10,
      path: 'theirs.jsonl',
      digest: sha,
    });
    expect(matrix.modules).toEqual({
      time_limit_ms: 10_000,
      scorers: { 'module:./score.mjs': { path: 'score.mjs', digest: sha } },
    });
    for (const name of Object.keys(FILES) as (keyof typeof FILES)[]) {
      const changed = await loadText(WITH_FILES, { ...FILES, [name]: `${FILES[name]} ` });
      expect(changed.digest, name).not.toBe(digest);
    }
    expect((await loadText(SOUND)).matrix.modules).toBeUndefined();
  });

  it.each([
    ['a module that is not there', 'path: rank.mjs', 'path: no.mjs', ['MODULE_UNREADABLE at no.mjs']],
    ['a module of another kind', 'path: rank.mjs', 'path: score.mjs', ['MODULE_EXPORTS at score.mjs']],
    ['a scorer that is no scorer', 'module:./score.mjs', 'module:./rank.mjs', ['MODULE_EXPORTS at "module']],
    ['a policy that is none', './policy.mjs', './score.mjs', ['MODULE_EXPORTS at ./score.mjs']],
    ['a policy that there is not', './policy.mjs', 'facts@9', ['POLICY_UNKNOWN at facts@9']],
    ['a file that is not there', './theirs.jsonl', './no.jsonl', ['RANKINGS_UNREADABLE at ./no.jsonl']],
  ])('RT-6 RT-7 MX-2 refuses %s', async (_what, from, to, expected) => {
    expect(await faultsOf(WITH_FILES.replace(from, to), FILES)).toEqual(expected);
  });
});
