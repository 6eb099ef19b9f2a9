import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/canonical-json.js';
import { digestText } from '../../core/digest.js';
import type { Completion } from '../../provider/completion.js';
import { strictSchemaProblem } from '../../provider/strict-schema.js';
import { NO_USAGE } from '../../provider/usage.js';
import { type JudgedItem, type JudgeSettings, majorityOf } from './judge.js';
import { JUDGE_PRESETS, judgePreset } from './judge-presets.js';
import { judgeRequest } from './judge-request.js';
import { judgedByRule, judgeWithoutModel } from './judge-rule.js';
import { readVerdict } from './read-verdict.js';

const text = judgePreset('correctness') ?? '';
const SETTINGS: JudgeSettings = {
  prompt: { name: 'correctness', text, digest: digestText(text) },
  model: {
    kind: 'openai',
    wire_api: 'chat-completions',
    endpoint: 'https://example.org/v1',
    model: 'm',
    resolved_at: '2026-01-01T00:00:00.000Z',
    credential_ref: 'KEY',
  },
  parameters: { max_output_tokens: 256, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
};
const ITEM: JudgedItem = {
  question: 'Where does Wanda live?',
  present: '2024-03-01T09:00:00',
  expected: ['Antwerp'],
  answer: 'in "Antwerp"',
};
const REQUEST = judgeRequest(ITEM, SETTINGS, { fixture: 'mill', question: 'mill/q2' });

const saying = (content: string, more: Partial<Completion> = {}): Completion => ({
  contents: [content],
  finish: 'stop',
  tool_calls: 0,
  reported_model: 'm-1',
  usage: NO_USAGE,
  ...more,
});

describe('OB-7 the request', () => {
  it('FX-7 holds the question, its present, the expected answers and the answer, as data, and nothing else', () => {
    expect(REQUEST.messages).toEqual([
      { role: 'system', content: text },
      {
        role: 'user',
        content:
          '{"answer":"in \\"Antwerp\\"","expected":["Antwerp"],"present":"2024-03-01T09:00:00","question":"Where does Wanda live?"}',
      },
    ]);
    expect(REQUEST.metadata).toEqual({ stage: 'judge', fixture: 'mill', batch: null, question: 'mill/q2' });
  });

  it('is the same for the same item, whoever asks', () => {
    const other = judgeRequest(ITEM, SETTINGS, { fixture: 'other', question: 'q9' });
    expect(canonicalJson({ ...other, metadata: null } as never)).toBe(
      canonicalJson({ ...REQUEST, metadata: null } as never),
    );
  });

  it('asks by a schema that strict structured output allows', () => {
    expect(strictSchemaProblem(REQUEST.response_schema.schema)).toBeNull();
  });

  it('presets end in the two keys of the schema, and there are no others', () => {
    for (const name of JUDGE_PRESETS)
      expect(judgePreset(name)).toMatch(/"reason" .* "verdict" \("correct" or "incorrect"\)\.\n$/);
    expect(judgePreset('../../../etc/passwd')).toBeNull();
  });
});

describe('OB-7 verdicts', () => {
  it('are read from the completion', () => {
    expect(readVerdict(REQUEST, saying('{"reason":"same city","verdict":"correct"}'))).toEqual({
      correct: true,
      reason: 'same city',
    });
    expect(readVerdict(REQUEST, saying('{"reason":"","verdict":"incorrect"}')).correct).toBe(false);
  });

  it.each([
    ['prose', 'correct', {}],
    ['another verdict', '{"reason":"","verdict":"maybe"}', {}],
    ['no verdict', '{"reason":""}', {}],
    ['a key too many', '{"reason":"","verdict":"correct","score":1}', {}],
    ['a cut answer', '{"reason":"","verdict":"correct"}', { finish: 'length' }],
    ['a refusal', '{"reason":"","verdict":"correct"}', { finish: 'refusal' }],
  ] as const)('PR-3 %s is a typed failure, never a verdict', (_what, content, more) => {
    expect(() => readVerdict(REQUEST, saying(content, more))).toThrow(
      expect.objectContaining({ kind: 'provider', code: 'JUDGE_UNSUPPORTED_COMPLETION' }),
    );
  });

  it('more than half decide; a tie is incorrect; agreement is the share of the majority', () => {
    const of = (...verdicts: boolean[]) => majorityOf(verdicts.map((correct) => ({ correct })));
    expect(of(true)).toEqual({ correct: true, agreement: 1 });
    expect(of(true, false, true)).toEqual({ correct: true, agreement: 2 / 3 });
    expect(of(false, false, true)).toEqual({ correct: false, agreement: 2 / 3 });
    expect(of(true, false)).toEqual({ correct: false, agreement: 1 / 2 });
  });

  it('an abstention is decided by rule, everything else is asked', () => {
    expect(judgedByRule({ abstained: true, answerable: true })).toBe(0);
    expect(judgedByRule({ abstained: true, answerable: false })).toBe(1);
    expect(judgedByRule({ abstained: false, answerable: true })).toBeNull();
    expect(judgedByRule({ abstained: false, answerable: false })).toBeNull();
    expect(judgeWithoutModel('token-f1')).toBeNull();
    expect(judgeWithoutModel('judge:kind')?.name).toBe('judge:kind');
  });
});
