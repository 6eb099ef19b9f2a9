import { describe, expect, it } from 'vitest';
import { bankRefused, budgetRefused, databaseUnavailable, interrupted } from '../../core/errors.js';
import type { FixtureOutline } from '../../fixture/fixture.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { withContinuation } from './recording-commands.js';

const MATRIX = { path: '/study/m.yaml' } as LoadedMatrix;
const FIXTURE = { path: '/study/two words' } as FixtureOutline;
const journal = '/study/banks/mill-0123456789ab.pending.jsonl';

describe('a recording that is stopped', () => {
  it('FB-9 CL-3 by the user: names the command that goes on with it, to be pasted', async () => {
    const stopped = withContinuation(Promise.reject(interrupted('the user interrupted')), journal, MATRIX, FIXTURE);
    await expect(stopped).rejects.toMatchObject({
      kind: 'interrupted',
      message: 'the user interrupted',
      remedy: expect.stringContaining(
        `recall-matrix bank continue ${journal} --matrix /study/m.yaml --fixtures '/study/two words'`,
      ),
    });
  });

  it.each([
    ['its budget', budgetRefused('BUDGET_EXHAUSTED', 'no more', { remedy: 'raise it' })],
    ['its database', databaseUnavailable('POSTGRES_LOST', 'gone', { remedy: 'start it' })],
  ])(
    'FB-9 by %s: what can be done about that, and then the command, for a resume alone is refused',
    async (_, error) => {
      await expect(withContinuation(Promise.reject(error), journal, MATRIX, FIXTURE)).rejects.toMatchObject({
        kind: error.kind,
        code: error.code,
        message: error.message,
        remedy: expect.stringMatching(
          new RegExp(`^${error.remedy}; .*first[^]*recall-matrix bank continue ${journal}`),
        ),
      });
    },
  );

  it('by what the recording itself did: the error stays as it is, for nothing can go on', async () => {
    const refusal = bankRefused('BANK_HOLDS_SECRET', 'a key', { remedy: 'take it out' });
    await expect(withContinuation(Promise.reject(refusal), journal, MATRIX, FIXTURE)).rejects.toBe(refusal);
  });
});
