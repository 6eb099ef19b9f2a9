import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';
import { embeddingCeilings } from './embedding-ceilings.js';

const REMOTE = SOUND.replace('local: { kind: local }', 'local: { kind: local }\n  r: { kind: openai }');
const PRICED = 'prices: { e: { as_of: 2026-05-01, input: "0.02" } }\n';
const remote = (ceilings = ''): string =>
  `${REMOTE}${PRICED}query_preparation: { embedding: { provider: r, model: e, dimensions: 8 }${ceilings} }\n`;
const local = (ceilings = ''): string =>
  `${SOUND}query_preparation: { embedding: { provider: local, model: use-lite-512 }${ceilings} }\n`;

describe('the ceilings of what an owner’s embeddings may cost', () => {
  it('SQ-9 are ten cents a request and a dollar a day, unless the matrix says otherwise', async () => {
    const ceilingsOf = async (text: string) => embeddingCeilings((await loadText(text)).matrix);
    expect(await ceilingsOf(remote())).toEqual({ request_nano_usd: 100_000_000n, day_nano_usd: 1_000_000_000n });
    expect(await ceilingsOf(remote(', ceilings: { day_usd: "2.50" }'))).toEqual({
      request_nano_usd: 100_000_000n,
      day_nano_usd: 2_500_000_000n,
    });
    expect(await ceilingsOf(remote(', ceilings: { request_usd: "0.000001", day_usd: "0.000001" }'))).toEqual({
      request_nano_usd: 1_000n,
      day_nano_usd: 1_000n,
    });
    // What sends nothing costs nothing.
    expect(await ceilingsOf(local())).toBeNull();
    expect(await ceilingsOf(SOUND)).toBeNull();
    expect(await ceilingsOf(`${SOUND}query_preparation: off\n`)).toBeNull();
  });

  it('MX-7 are bound: a default that is written out is the same matrix, another ceiling another', async () => {
    const digestOf = async (text: string) => (await loadText(text)).digest;
    const plain = await digestOf(remote());
    expect(await digestOf(remote(', ceilings: { request_usd: "0.10", day_usd: "1" }'))).toBe(plain);
    expect(await digestOf(remote(', ceilings: { day_usd: "1.01" }'))).not.toBe(plain);
  });

  it('MX-2 SQ-9 are refused where they are no amounts, contradict each other, or bound what sends nothing', async () => {
    expect(await faultsOf(remote(', ceilings: { request_usd: 0.1 }'))).toEqual(['WRONG_VALUE at 0.1']);
    expect(await faultsOf(remote(', ceilings: { hour_usd: "1" }'))).toEqual(['UNKNOWN_KEY at hour_usd']);
    expect(await faultsOf(remote(', ceilings: { request_usd: "1.01" }'))).toEqual(['CEILINGS_CONTRADICT at "1.01"']);
    expect(await faultsOf(remote(', ceilings: { day_usd: "0.09" }'))).toEqual(['CEILINGS_CONTRADICT at "0.09"']);
    expect(await faultsOf(local(', ceilings: { day_usd: "1" }'))).toEqual(['PARAMETER_UNFIT at {']);
  });
});
