import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/experiment/experiment.js';
import type { BeliefState } from '../../src/parity/parity.js';
import { cli, documentOf, exits } from '../support/cli.js';
import { bankIn, reseal } from '../support/resealed-bank.js';
import { copySmall, keptSmall, namesIn, SMALL_MATRIX, type Small, writeFixture } from '../support/small-matrix.js';

/** Recorded once; each test works on a copy. */
let recorded: Small;
let removeRecorded: () => Promise<void>;

beforeAll(async () => {
  ({ small: recorded, remove: removeRecorded } = await keptSmall());
  await exits(0, recorded.run('record'));
});
afterAll(() => removeRecorded());

describe('a state that differs', () => {
  /** Two fixtures, so that one can be refused and the other go on. */
  const TWO = SMALL_MATRIX.replace('[fixtures/mill]', '[fixtures/hill, fixtures/mill]');

  async function withTwoFixtures(): Promise<Small> {
    const small = await copySmall(recorded, TWO);
    await writeFixture(join(small.folder, 'fixtures'), 'hill');
    return small;
  }

  it('ST-3 one field of the sealed state: exit 6 names record and field for each arm; the other fixture is asked in full', async () => {
    const small = await withTwoFixtures();
    await reseal(small.banks, 'mill', {
      state: (state) => withOtherConfidence(state),
    });
    const result = await exits(6, small.run('run', ['--json']));
    expect(
      result.stderr.match(/^mill, (?:none|bm25): STATE_DIFFERS: .*at belief \[.*\bid=.*\], confidence: expected /gm),
    ).toHaveLength(2);
    expect(result.stderr).toMatch(/\n {2}remedy: .*record a new bank/);
    const document = documentOf(result) as RunResult;
    expect(document.status).toBe('incomplete');
    expect(document.problems.map(({ kind, code, fixture, arm }) => [kind, code, fixture, arm])).toEqual([
      ['parity', 'STATE_DIFFERS', 'mill', 'none'],
      ['parity', 'STATE_DIFFERS', 'mill', 'bm25'],
    ]);
    for (const arm of document.arms) {
      expect(arm).toMatchObject({ status: 'refused', parity: 'changed', questions: 6, answered: 3 });
      expect(await rowsOf(document.path, arm.arm)).toEqual(['hill.observations.jsonl']);
    }
  });

  it('ST-3 FB-4 another completion under the old seal: exit 6 names the statement', async () => {
    const small = await copySmall(recorded);
    await reseal(small.banks, 'mill', {
      calls: (calls) =>
        calls.map((call, index) =>
          index === calls.length - 1 ? { ...call, output: call.output.replace('yellow', 'orange') } : call,
        ),
    });
    const result = await exits(6, small.run('run'));
    expect(result.stderr).toMatch(/STATE_DIFFERS: .*, statement: expected ".*yellow.*", found ".*orange/);
  });

  it('FB-5 another completion that a later request shows: exit 5 names the call and the message', async () => {
    const small = await copySmall(recorded);
    await reseal(small.banks, 'mill', {
      calls: (calls) =>
        calls.map((call, index) =>
          index === 0 ? { ...call, output: call.output.replaceAll('organs', 'clocks') } : call,
        ),
    });
    const result = await exits(5, small.run('run'));
    expect(result.stderr).toMatch(/BANK_REQUEST_CHANGED: .*call 2\b.*message 2/);
  });

  it('FB-15 bank verify says the same of such a bank, and control: that the recorded one is equal', async () => {
    const small = await copySmall(recorded);
    const fixture = ['--fixture', small.fixture];
    const sound = await bankIn(small.banks, 'mill');
    await exits(0, cli(['bank', 'verify', sound.path, ...fixture]));
    await reseal(small.banks, 'mill', { state: (state) => withOtherConfidence(state) });
    const { path } = await bankIn(small.banks, 'mill');
    const result = await exits(6, cli(['bank', 'verify', path, ...fixture]));
    expect(result.stderr).toMatch(/STATE_DIFFERS: .* confidence: /);
  });
});

/** The state with one field of its first belief changed. */
function withOtherConfidence(state: BeliefState): BeliefState {
  const [first, ...rest] = state.tables.belief ?? [];
  return { ...state, tables: { ...state.tables, belief: [{ ...first, confidence: 0.123 }, ...rest] } };
}

async function rowsOf(run: string, arm: string): Promise<string[]> {
  return namesIn(join(run, 'arms', arm));
}
