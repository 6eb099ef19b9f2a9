import { describe, expect, it } from 'vitest';
import { budgetRefused, interrupted } from '../core/errors.js';
import type { FixtureOutline } from '../fixture/fixture.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
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

  it('by anything else: the error stays as it is', async () => {
    const refusal = budgetRefused('BUDGET_REFUSED', 'no more', { remedy: 'raise it' });
    await expect(withContinuation(Promise.reject(refusal), journal, MATRIX, FIXTURE)).rejects.toBe(refusal);
  });
});
