import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';
import type { InvalidInputErrors } from '../core/errors.js';

const withAxes = (axes: string, more = ''): string => `${SOUND}axes: { ${axes} }\n${more}`;
const THOUSAND = Array.from({ length: 1000 }, (_, n) => n + 1);
const armsOf = async (text: string) => (await loadText(text)).matrix.arms;

describe('axes', () => {
  it('MX-3 multiply arms by every combination, arms in order, the last axis fastest', async () => {
    const arms = await armsOf(withAxes('retrieval.limit: [5, 10], retrieval.read_ceiling: [public, restricted]'));
    expect(arms.map(({ name, retrieval }) => [name, retrieval.limit, retrieval.read_ceiling])).toEqual([
      ['bm25+limit-5+read_ceiling-public', 5, 'public'],
      ['bm25+limit-5+read_ceiling-restricted', 5, 'restricted'],
      ['bm25+limit-10+read_ceiling-public', 10, 'public'],
      ['bm25+limit-10+read_ceiling-restricted', 10, 'restricted'],
      ['none', null, 'restricted'],
    ]);
  });

  it('MX-3 an axis of a mode multiplies the arms that are in it, also where another axis put them there', async () => {
    const arms = await armsOf(
      withAxes(
        'retrieval.mode: [standard, core, historical], retrieval.core_size: [4, 8], retrieval.as_of: [question, "2023-04-01T00:00:00"]',
      ),
    );
    expect(arms.map(({ name }) => name)).toEqual([
      'bm25+mode-standard',
      'bm25+mode-core+core_size-4',
      'bm25+mode-core+core_size-8',
      'bm25+mode-historical+as_of-question',
      'bm25+mode-historical+as_of-2023-04-01T00.00.00',
      'none',
    ]);
    expect(arms[4]?.retrieval).toMatchObject({ mode: 'historical', as_of: '2023-04-01T00:00:00' });
  });

  it('MX-7 the digest binds the expanded arms: written out by hand they are the same matrix', async () => {
    const expanded = await loadText(withAxes('retrieval.limit: [5, 10]'));
    const byHand = await loadText(
      SOUND.replace(
        '  - { name: bm25, retrieval: { strategy: bm25 } }\n',
        [5, 10].map((n) => `  - { name: bm25+limit-${n}, retrieval: { strategy: bm25, limit: ${n} } }\n`).join(''),
      ),
    );
    expect(expanded.digest).toBe(byHand.digest);
    expect((await loadText(withAxes('retrieval.limit: [10, 5]'))).digest).not.toBe(expanded.digest);
  });

  it('MX-3 MX-8 baseline and contrasts name expanded arms; the name that was multiplied is no arm any more', async () => {
    const axes = 'retrieval.limit: [5, 10]';
    const sound = 'baseline: bm25+limit-5\nanalysis: { contrasts: [[bm25+limit-10, none]] }\n';
    expect((await loadText(withAxes(axes, sound))).matrix.baseline).toBe('bm25+limit-5');
    expect(await faultsOf(withAxes(axes, 'baseline: bm25\n'))).toEqual(['ARM_UNKNOWN at bm25']);
  });

  it.each([
    ['what the matrix shares', 'formation.persistence: [supersede, append]', ['AXIS_REFUSED at formation.persistence']],
    ['the reader', 'reader.temperature: [0, 1]', ['AXIS_REFUSED at reader.temperature']],
    ['the context', 'context.tokens: [500, 1000]', ['AXIS_REFUSED at context.tokens']],
    ['a strategy', 'retrieval.strategy: [bm25, recency]', ['AXIS_REFUSED at retrieval.strategy']],
    ['a name', 'name: [a, b]', ['AXIS_REFUSED at name']],
    ['a key that there is not', 'retrieval.depth: [1]', ['AXIS_REFUSED at retrieval.depth']],
    ['a value twice', 'retrieval.limit: [5, 10, 5]', ['AXIS_VALUE_TWICE at 5']],
    [
      'a wrong value, once for all arms',
      'retrieval.unit: [beliefs, turns], retrieval.limit: [5, none]',
      ['WRONG_VALUE at none'],
    ],
    ['an axis that no arm has', 'retrieval.core_size: [5, 10]', ['AXIS_WITHOUT_ARM at retrieval.core_size']],
    [
      'more arms than are run',
      `retrieval.limit: [${Array.from({ length: 201 }, (_, n) => n + 1)}]`,
      ['TOO_MANY_ARMS at {'],
    ],
    [
      'more arms than memory holds, without making them',
      `retrieval.limit: [${THOUSAND}], retrieval.mode: [core, ${THOUSAND}], retrieval.core_size: [${THOUSAND}], recall: [${THOUSAND}]`,
      ['TOO_MANY_ARMS at {'],
    ],
  ])('MX-3 MX-5 refuses %s', async (_what, axes, expected) => {
    expect(await faultsOf(withAxes(axes))).toEqual(expected);
  });

  it('MX-3 a misspelt key is told from one that tells arms apart', async () => {
    const messageOf = (axes: string) =>
      loadText(withAxes(axes)).catch((error: InvalidInputErrors) => error.errors[0]?.message);
    expect(await messageOf('retrieval.limits: [1]')).toMatch(/there is no such key of an arm$/);
    expect(await messageOf('retrieval.path: [a]')).toMatch(/tells arms apart/);
    expect(await messageOf('reader.model: [a]')).toMatch(/all arms of a matrix share it/);
  });

  it('MX-3 refuses what an arm sets itself, a name that gets too long, and two arms of one name', async () => {
    const own = SOUND.replace('strategy: bm25', 'strategy: bm25, limit: 7');
    expect(await faultsOf(`${own}axes: { retrieval.limit: [5, 10] }\n`)).toEqual(['AXIS_CONFLICT at 7']);
    const long = SOUND.replace('name: bm25', `name: ${'b'.repeat(60)}`);
    expect(await faultsOf(`${long}axes: { retrieval.limit: [10] }\n`)).toEqual([`WRONG_VALUE at ${'b'.repeat(60)}`]);
    const twin = SOUND.replace(
      '  - { name: none',
      '  - { name: BM25+limit-5, retrieval: { strategy: none } }\n  - { name: none',
    );
    expect(await faultsOf(`${twin}axes: { retrieval.limit: [5] }\n`)).toEqual(['DUPLICATE_NAME at BM25+limit-5']);
  });

  it('SQ-6 a mode that an axis gives to an arm of vectors is refused at the axis', async () => {
    const text = SOUND.replace('strategy: bm25', 'strategy: semantic');
    const preparation = 'query_preparation: { embedding: { provider: local, model: use-lite-512 } }\n';
    expect(await faultsOf(`${text}${preparation}axes: { retrieval.mode: [standard, people] }\n`)).toEqual([
      'MODE_WITHOUT_VECTORS at people',
    ]);
  });
});
