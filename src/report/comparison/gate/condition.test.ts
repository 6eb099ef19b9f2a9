import { describe, expect, it } from 'vitest';
import { parseCondition, plannedCondition } from './condition.js';

describe('a condition of --fail-if', () => {
  it.each([
    ['token-f1 < -0.02', { scorer: 'token-f1', tests: 'bound', side: 'below', threshold: -0.02 }],
    ['token-f1<-0.02', { scorer: 'token-f1', tests: 'bound', side: 'below', threshold: -0.02 }],
    [' evidence-recall@10 estimate < -.5 ', { scorer: 'evidence-recall@10', tests: 'estimate', threshold: -0.5 }],
    ['judge:strict bound > +0.1', { scorer: 'judge:strict', tests: 'bound', side: 'above', threshold: 0.1 }],
    ['module:./my scorers/own.mjs estimate < 0', { scorer: 'module:./my scorers/own.mjs', tests: 'estimate' }],
    ['evidence-recall@500-tokens < 0', { scorer: 'evidence-recall@500-tokens', threshold: 0 }],
  ])('RP-4 reads %s', (text, expected) => {
    expect(parseCondition(text)).toMatchObject({ text: text.trim(), ...expected });
  });

  it.each([
    '',
    'token-f1',
    'token-f1 < ',
    '< 0.1',
    'token-f1 <= 0.1',
    'token-f1 mean < 0.1',
    'token-f1 < x',
    'a b < 0',
    'token-f1 < 1e-2',
  ])('RP-4 refuses %j with an example', (text) => {
    expect(() => parseCondition(text)).toThrow(expect.objectContaining({ code: 'GATE_CONDITION', exitCode: 2 }));
  });

  it.each(['token-f1 < -1', 'token-f1 > 1', 'token-f1 < -2', 'token-f1 > -1'])(
    'RP-4 refuses %s: no difference of scores could cross it',
    (text) => {
      expect(() => parseCondition(text)).toThrow('scores lie from 0 to 1');
    },
  );

  it('RP-4 MX-8 the plan implies one: the primary scorer fell by more than the margin', () => {
    expect(plannedCondition({ primary: 'token-f1', margin: 0.02 })).toEqual(parseCondition('token-f1 < -0.02'));
    expect(plannedCondition({ primary: 'token-f1', margin: 0 })).toEqual(parseCondition('token-f1 < 0'));
    // No score falls by more than 1: such a gate would pass every night.
    expect(() => plannedCondition({ primary: 'token-f1', margin: 1 })).toThrow('scores lie from 0 to 1');
  });
});
