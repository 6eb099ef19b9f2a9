import { describe, expect, it } from 'vitest';
import { comparedArms, comparedRuns, contrastsOf, firstContrast } from '../../../../test/support/compared.js';
import type { RecordedRunDescription } from '../../../../test/support/recorded-run.js';
import { digestText } from '../../../core/digest.js';
import type { RunManifest } from '../../../experiment/run-record.js';
import type { ResolvedMatrix } from '../../../matrix/matrix.js';
import type { CompareOptions } from '../compare-options.js';

const FIXTURES = [
  { id: 'c1', questions: 2 },
  { id: 'c2', questions: 2 },
];
const PLAIN: RecordedRunDescription = { fixtures: FIXTURES, arms: ['bm25'], row: ({ index }) => index / 4 };

/** Factors that differ between a plain run and another, with whether they are the treatment. */
async function factors(head: RecordedRunDescription, asked: Partial<CompareOptions> = {}) {
  const comparison = await comparedRuns(PLAIN, { ...PLAIN, ...head }, asked);
  return {
    found: comparison.factors.map(({ factor, is_treatment }) => `${factor}${is_treatment ? '' : '!'}`),
    ...comparison,
  };
}

const PARAMETERS = { max_output_tokens: 256, temperature: 0, top_p: null, seed: null, reasoning_effort: null };
const PROMPT = { name: 'short-answer', text: 'x', digest: digestText('x') };
const tool = (changes: Partial<RunManifest['tool']>): Partial<RunManifest> => {
  const program = digestText('program');
  return { tool: { version: '0.0.0', node: 'v20.0.0', implementation: program, program, packages: {}, ...changes } };
};

describe('RP-2 what differs between two runs is listed', () => {
  const matrix = (changes: Partial<ResolvedMatrix>): RecordedRunDescription => ({ matrix: changes });
  it.each<readonly [string, RecordedRunDescription, string, string]>([
    [
      'the reader',
      matrix({
        reader: {
          provider: 'local',
          model: 'other',
          parameters: PARAMETERS,
          prompt: { ...PROMPT, digest: digestText('Answer from the context alone.') },
        },
      }),
      'model=extractive-reader-1',
      'model=other',
    ],
    [
      'the prompt',
      matrix({ reader: { provider: 'local', model: 'extractive-reader-1', parameters: PARAMETERS, prompt: PROMPT } }),
      digestText('Answer from the context alone.'),
      digestText('x'),
    ],
    ['the context', matrix({ context: { tokens: 99 } }), 'tokens=1500', 'tokens=99'],
    ['query preparation', matrix({ query_preparation: 'off' }), 'embedding=', 'preparation=off'],
    ['the order', matrix({ seed: '2' }), 'seed=1', 'seed=2'],
    [
      'the arm',
      {
        arms: [
          {
            name: 'bm25',
            retrieval: { strategy: 'bm25', unit: 'beliefs', limit: 3, mode: 'standard', read_ceiling: 'restricted' },
          },
        ],
      },
      'retrieval.limit=10',
      'retrieval.limit=3',
    ],
    ['the program', { manifest: tool({ program: digestText('new') }) }, digestText('program'), digestText('new')],
    ['the program', { manifest: tool({ packages: { 'gpt-tokenizer': '9' } }) }, 'packages', 'gpt-tokenizer'],
    ['the server', { manifest: { postgres: { kind: 'existing', version: '17.9' } } }, '18.0', '17.9'],
  ])('%s', async (_, head, before, after) => {
    const { factors: found, confounded } = await factors(head);
    expect(found).toHaveLength(1);
    expect(found[0]?.base).toContain(before);
    expect(found[0]?.head).toContain(after);
    expect(found[0]?.is_treatment).toBe(true);
    expect(confounded).toBe(false);
  });

  it('RP-6 the program that scored the rows that count, where it is another than what asked', async () => {
    const program = digestText('new');
    const at = '2026-01-02T00:00:00.000Z';
    const session = { kind: 'rescore' as const, started_at: at, finished_at: at, scored_by: { version: '2', program } };
    const { factors: found } = await factors({ manifest: { sessions: [session] } });
    expect(found).toMatchObject([{ factor: 'program', head: `scored_by=${program}` }]);
  });

  it('reported models, of each arm', async () => {
    const reported = (model: string): RecordedRunDescription => ({
      ...PLAIN,
      row: ({ index }) => ({ scores: { 'token-f1': index / 4 }, reported_models: [model] }),
    });
    const { factors: found } = await comparedRuns(reported('m-1'), reported('m-2'));
    expect(found).toEqual([
      { factor: 'reported-models', fixture: null, arm: 'bm25', base: 'm-1', head: 'm-2', is_treatment: true },
    ]);
  });

  it('prices, which confound nothing, and a module that scores, which does', async () => {
    const price = { model: 'm', as_of: '2026-01-01', input: '1', output: '1' };
    const prices = await factors(matrix({ prices: { m: price as never } }));
    expect(prices).toMatchObject({ found: ['prices!'], confounded: false });
    const scored = (text: string) => ({
      ...{ ...PLAIN, scorers: ['module:mine.mjs'] },
      matrix: {
        modules: { time_limit_ms: 1, scorers: { 'module:mine.mjs': { path: text, digest: digestText(text) } } },
      },
    });
    const { factors: found, confounded, datasets } = await comparedRuns(scored('a'), scored('b'));
    expect(found).toMatchObject([{ factor: 'scorers', base: expect.stringContaining(digestText('a')) }]);
    expect(confounded).toBe(true);
    expect(datasets[0]?.contrasts[0]?.verdict.kind).toBe('withheld');
  });

  it('a judge of a compared score: its model, prompt and the name that it reported', async () => {
    const judge = { provider: 'local', model: 'j', parameters: PARAMETERS, prompt: PROMPT, repeats: 1, labels: null };
    const judged = (changes: Partial<typeof judge>) => ({
      ...{ ...PLAIN, scorers: ['judge:j', 'token-f1'] },
      matrix: { judges: { j: { ...judge, ...changes } } },
    });
    const other = await comparedRuns(judged({}), judged({ repeats: 3 }));
    expect(other.factors).toMatchObject([{ factor: 'judge', base: 'j.repeats=1', head: 'j.repeats=3' }]);
    const elsewhere = await comparedRuns(judged({}), judged({ repeats: 3 }), { scorers: ['token-f1'] });
    expect(elsewhere.factors).toEqual([]);
    const scorers = ['token-f1', 'judge:j'];
    const beside = await comparedRuns({ ...judged({}), scorers }, { ...judged({ repeats: 3 }), scorers });
    expect(beside).toMatchObject({ factors: [], confounded: false });
    expect(beside.notes.at(-1)).toMatch(/ 1 other score \(judge:j\)\. .* For them alone these differ: judge\.$/);
  });

  it('labels, fixture by fixture: no verdict by another ruler, unless it is what was meant', async () => {
    const relabelled: RecordedRunDescription = {
      fixtures: [{ id: 'c1', questions: [{ expected: 'another' }, {}] }, FIXTURES[1] as (typeof FIXTURES)[number]],
    };
    const plain = await factors(relabelled);
    expect(plain.found).toEqual(['labels!']);
    expect(plain).toMatchObject({ confounded: true, factors: [{ fixture: 'c1' }] });
    expect(firstContrast(plain).verdict).toMatchObject({
      kind: 'withheld',
      sentence: expect.stringContaining('it was scored by other labels, so that its scores are not on one scale'),
    });
    const meant = await factors(relabelled, { treatments: ['labels'] });
    expect(meant).toMatchObject({ found: ['labels'], confounded: false });
    expect(firstContrast(meant).verdict.kind).not.toBe('withheld');
  });

  it('lessons, where the arm injects them', async () => {
    const injecting = { name: 'bm25', context: { lessons: 'inject', lesson_tokens: 9 } } as const;
    const run = (of: string) => ({
      ...{ ...PLAIN, arms: [injecting] },
      manifest: { lesson_projection: digestText(of) },
    });
    expect((await comparedRuns(run('a'), run('b'))).factors).toMatchObject([{ factor: 'lessons', arm: 'bm25' }]);
    const plain = { ...PLAIN, manifest: { lesson_projection: digestText('a') } };
    expect((await comparedRuns(PLAIN, plain)).factors).toEqual([]);
  });

  it('vector banks, where an arm searches by vectors', async () => {
    const run = (of: string, arm: string) => ({
      ...{ ...PLAIN, arms: [arm] },
      manifest: {
        vector_banks: [
          { fixture: 'c1', replicate: 1, unit: 'beliefs' as const, action: 'replay' as const, bank: digestText(of) },
        ],
      },
    });
    expect((await comparedRuns(run('a', 'semantic'), run('b', 'semantic'))).factors).toMatchObject([
      { factor: 'vector-bank', fixture: 'c1' },
    ]);
    expect((await comparedRuns(run('a', 'bm25'), run('b', 'bm25'))).factors).toEqual([]);
  });

  it('more than one is confounded, told by name in the notes and in each sentence', async () => {
    const head = { matrix: { context: { tokens: 99 }, seed: '2' } };
    const { found, confounded, notes, ...rest } = await factors(head);
    expect({ found, confounded }).toEqual({ found: ['context!', 'order!'], confounded: true });
    expect(notes).toContain(
      'Confounded: no treatment was stated, and these differ: context, order. A difference may come from any of them.',
    );
    expect(firstContrast({ ...rest, confounded, notes }).verdict.basis).toContain(
      'Confounded: context, order differ as well.',
    );
    const stated = await factors(head, { treatments: ['context'] });
    expect(stated.notes).toContain(
      'Confounded: besides context these differ: order. A difference may come from any of them.',
    );
  });
});

describe('RP-2 unlike formation', () => {
  it('unlike banks are refused, naming them, and compared only across banks', async () => {
    await expect(comparedRuns(PLAIN, { ...PLAIN, banks: 'others' })).rejects.toMatchObject({
      ...{ code: 'COMPARE_OTHER_BANKS', exitCode: 2 },
      message: expect.stringContaining('c1: bank sha256:'),
      remedy: expect.stringContaining('--across-banks'),
    });
    const across = await factors({ banks: 'others' }, { across_banks: true });
    expect(across).toMatchObject({ found: ['bank', 'bank'], formation_differs: true });
    expect(across.notes[1]).toContain('Formation differs: questions are paired');
    expect(firstContrast(across).verdict.basis).toContain('Formation differs.');
    expect((await factors({}, { across_banks: true })).formation_differs).toBe(false);
  });

  it('FB-16 arms of one run that formed on their own are confounded by it', async () => {
    const live = (state: string) => ({
      ...{ calls: 1, actual_nano_usd: 0, beliefs: 1, people: 0, differs_from: null, difference: null },
      state: digestText(state),
    });
    const nothing = { sends: 0, actual_nano_usd: 0, uncertain_nano_usd: 0 };
    const formation = ['c1', 'c2'].map((fixture) => ({
      ...{ fixture, replicate: 1, corpus: digestText('c'), bank: null, vector_bank: null, vectors: [] },
      ...{ source: 'live' as const, calls: 1, attributed_nano_usd: null, actual_nano_usd: 0, uncertain_nano_usd: 0 },
      ...{ embedding: { index: nothing, query: nothing }, state: null, reported_models: [] },
      review: 'unreviewed' as const,
      live_states: [
        { arm: 'bm25', ...live('a') },
        { arm: 'semantic', ...live(fixture === 'c1' ? 'a' : 'b') },
      ],
    }));
    const comparison = await comparedArms({ ...PLAIN, arms: ['bm25', 'semantic'], result: { formation } });
    expect(comparison).toMatchObject({ confounded: true, formation_differs: true });
    expect(comparison.factors.map(({ factor, fixture }) => [factor, fixture])).toEqual([
      ['arm', null],
      ['state', 'c2'],
    ]);
  });
});

describe('RP-2 what cannot be compared is refused, with what to do', () => {
  const codes = async (work: Promise<unknown>): Promise<string[]> => {
    const error = (await work.then(
      () => null,
      (thrown: unknown) => thrown,
    )) as { errors?: readonly { code: string; remedy?: string }[]; code: string; exitCode: number; remedy?: string };
    expect(error).toMatchObject({ exitCode: 2, remedy: expect.stringMatching(/./) });
    return (error.errors ?? [error]).map(({ code, remedy }) => `${code}${remedy === undefined ? '!' : ''}`);
  };

  it('other histories, other questions, and fixtures that one side lacks: every one is named', async () => {
    const c2 = FIXTURES[1] as (typeof FIXTURES)[number];
    const other = (one: object): RecordedRunDescription => ({
      ...PLAIN,
      fixtures: [{ id: 'c1', questions: [one, {}] }, c2],
    });
    expect(await codes(comparedRuns(PLAIN, other({ turn: 'Another turn.' })))).toEqual(['COMPARE_OTHER_CORPUS']);
    expect(await codes(comparedRuns(PLAIN, other({ question: 'Another?' })))).toEqual(['COMPARE_OTHER_LOAD']);
    expect(await codes(comparedRuns(PLAIN, { ...PLAIN, repeats: 2 }))).toEqual([
      'COMPARE_OTHER_LOAD',
      'COMPARE_OTHER_LOAD',
    ]);
    const more = { ...PLAIN, fixtures: [...FIXTURES, { id: 'c3', questions: 1 }] };
    expect(await codes(comparedRuns(PLAIN, more))).toEqual(['COMPARE_OTHER_FIXTURES']);
    expect(await codes(comparedRuns(more, PLAIN))).toEqual(['COMPARE_OTHER_FIXTURES']);
  });

  it('SQ-1 degraded arms, unless they are to be compared as they are', async () => {
    const run: RecordedRunDescription = {
      ...{ fixtures: FIXTURES, arms: ['bm25', 'semantic', 'recency'] },
      row: ({ arm, index }) => (arm === 'semantic' && index === 0 ? { lookup_miss: 'expired' } : {}),
    };
    expect(await codes(comparedArms(run))).toEqual(['COMPARE_DEGRADED']);
    expect(await codes(comparedRuns(run, run))).toEqual(['COMPARE_DEGRADED', 'COMPARE_DEGRADED']);
    const allowed = await comparedArms(run, { allow_degraded: true });
    expect(allowed.notes).toEqual([
      'semantic is degraded: a lookup missed, and another strategy answered in its place.',
    ]);
    // One that is not asked about is nobody's fault.
    expect(contrastsOf(await comparedArms(run, { arm: 'recency' }))).toHaveLength(1);
  });

  it('arms and scorers that are not there, and pairs that are none', async () => {
    const run = { ...PLAIN, arms: ['bm25', 'semantic'] };
    expect(await codes(comparedArms(run, { arm: 'colour' }))).toEqual(['COMPARE_UNKNOWN_ARM']);
    expect(await codes(comparedRuns(run, run, { arm: 'semantic', against: 'colour' }))).toEqual([
      'COMPARE_UNKNOWN_ARM',
    ]);
    expect(await codes(comparedArms(run, { scorers: ['exact-match'] }))).toEqual(['COMPARE_UNKNOWN_SCORER']);
    expect(await codes(comparedRuns(run, { ...run, scorers: ['exact-match'] }))).toEqual(['COMPARE_UNKNOWN_SCORER']);
    expect(await codes(comparedArms(run, { arm: 'bm25' }))).toEqual(['COMPARE_ARM_WITH_ITSELF']);
    expect(await codes(comparedArms(run, { against: 'bm25' }))).toEqual(['COMPARE_ARM_NOT_NAMED']);
    expect(await codes(comparedRuns(run, run, { against: 'bm25' }))).toEqual(['COMPARE_ARM_NOT_NAMED']);
    expect(await codes(comparedArms({ ...run, matrix: { baseline: null } }, { arm: 'bm25' }))).toEqual([
      'COMPARE_ARM_NOT_NAMED',
    ]);
    expect(await codes(comparedArms({ ...run, matrix: { baseline: null } }))).toEqual(['COMPARE_NOTHING']);
    expect(await codes(comparedRuns(run, { ...run, arms: ['recency'] }))).toEqual(['COMPARE_NOTHING']);
  });
});
