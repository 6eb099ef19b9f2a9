import { describe, expect, it } from 'vitest';
import { SAMPLE_CAUSE } from '../../../test/support/observation-samples.js';
import { databaseUnavailable, internalFault, interrupted, RecallMatrixError } from '../../core/errors.js';
import { ProviderFailure, type ProviderFailureReason } from '../../provider/completion.js';
import { notAsked } from './asked.js';
import { outcomeOf } from './outcome.js';

const failure = (reason: ProviderFailureReason): ProviderFailure =>
  new ProviderFailure(reason, 'the provider failed', { billing: 'unknown' });
const unusable = new RecallMatrixError({
  kind: 'provider',
  code: 'READER_UNUSABLE',
  message: 'no answer in it',
  remedy: 'r',
});

describe('OB-4 what a thrown error makes of a question', () => {
  it('OB-4 an answer that came and cannot be used is the arm’s own failure', () => {
    expect(outcomeOf(unusable, 'reader')).toEqual({
      kind: 'failed',
      cause: {
        stage: 'reader',
        kind: 'provider',
        code: 'READER_UNUSABLE',
        message: 'no answer in it',
        remedy: 'r',
        own_making: true,
      },
    });
  });

  it.each([
    ['a timeout', failure('timeout')],
    ['a cut connection', failure('cut-connection')],
    ['a server error', failure('server-error')],
    ['a fault of this program', internalFault('BROKEN', 'a bug')],
    ['anything else', new TypeError('x is not a function')],
  ])('OB-4 %s never counts against an arm', (_name, error) => {
    expect(outcomeOf(error, 'reader')).toMatchObject({ kind: 'failed', cause: { own_making: false } });
  });

  it('RS-3 a lost database leaves the question unasked', () => {
    expect(outcomeOf(databaseUnavailable('POSTGRES_LOST', 'gone', { remedy: 'start it' }), 'recall')).toMatchObject({
      kind: 'skipped',
      cause: { stage: 'database', code: 'POSTGRES_LOST', own_making: false },
    });
  });

  it.each([
    ['an interruption', interrupted('the user interrupted')],
    ['a cancelled call', failure('cancelled')],
  ])('CL-3 %s leaves the question unasked', (_name, error) => {
    expect(outcomeOf(error, 'recall')).toMatchObject({
      kind: 'skipped',
      cause: { stage: 'interrupted', own_making: false },
    });
  });

  it('OB-4 what was never asked has a cause, no answer, no call and no cost', () => {
    const asked = notAsked({ ...SAMPLE_CAUSE, stage: 'budget' }, 'skipped');
    expect(asked).toMatchObject({ outcome: { kind: 'skipped' }, answer: null, recalled: null, request: null });
    expect(asked.reader.sends).toBe(0);
  });
});
