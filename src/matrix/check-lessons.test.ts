import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';

const withContext = (context: string): string =>
  SOUND.replace('strategy: bm25 }', `strategy: bm25 }, context: ${context}`);

describe('LE-6 lessons in a matrix', () => {
  it('LE-6 MX-7 an arm injects none unless it says so, within 200 tokens unless it says otherwise; the digest binds both', async () => {
    const plain = await loadText(SOUND);
    expect(plain.matrix.arms[0]).not.toHaveProperty('context');
    expect((await loadText(withContext('{ lessons: none }'))).digest).toBe(plain.digest);
    const inject = await loadText(withContext('{ lessons: inject }'));
    expect(inject.matrix.arms[0]?.context).toEqual({ lessons: 'inject', lesson_tokens: 200 });
    const few = await loadText(withContext('{ lessons: inject, lesson_tokens: 50 }'));
    expect(few.matrix.arms[0]?.context).toEqual({ lessons: 'inject', lesson_tokens: 50 });
    expect(new Set([plain.digest, inject.digest, few.digest]).size).toBe(3);
  });

  it('LE-6 MX-2 refuses a budget without lessons, one that the context does not hold, and keys that there are not', async () => {
    expect(await faultsOf(withContext('{ lesson_tokens: 50 }'))).toEqual(['LESSON_TOKENS_WITHOUT_LESSONS at 50']);
    expect(await faultsOf(withContext('{ lessons: inject, lesson_tokens: 100000 }'))).toEqual([
      'LESSON_TOKENS_EXCEED_CONTEXT at 100000',
    ]);
    expect(await faultsOf(withContext('{ lessons: always }'))).toHaveLength(1);
  });

  it('LE-6 MX-3 both may be axes; the budget multiplies the arms that inject alone', async () => {
    const axes = 'axes: { context.lessons: [none, inject], context.lesson_tokens: [50, 100] }\n';
    const { matrix } = await loadText(`${SOUND}${axes}`);
    expect(matrix.arms.map(({ name, context }) => [name, context?.lesson_tokens ?? null])).toEqual([
      ['bm25+lessons-none', null],
      ['bm25+lessons-inject+lesson_tokens-50', 50],
      ['bm25+lessons-inject+lesson_tokens-100', 100],
      ['none+lessons-none', null],
      ['none+lessons-inject+lesson_tokens-50', 50],
      ['none+lessons-inject+lesson_tokens-100', 100],
    ]);
  });
});
