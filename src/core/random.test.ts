import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.js';

describe('seeded random', () => {
  it('MX-9 the same seed gives the same order for ever', () => {
    expect(seededRandom('1').shuffled(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toEqual(
      seededRandom('1').shuffled(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']),
    );
    expect(Array.from({ length: 6 }, (_, n) => seededRandom(`seed ${n}`).integer(0, 999))).toMatchInlineSnapshot(`
      [
        122,
        827,
        399,
        350,
        749,
        687,
      ]
    `);
  });

  it('MX-9 every order is about as likely as another', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 6000; n += 1) {
      const order = seededRandom(`${n}`).shuffled(['a', 'b', 'c']).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
