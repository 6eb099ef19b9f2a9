import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { E2E_TENANT, writeFixture } from '../../../test/support/cli-priced.js';
import type { OpenAiServer } from '../../../test/support/openai-server/index.js';
import { runRemote, writeRemoteMatrix } from '../../../test/support/remote-run.js';
import { editFile } from '../../../test/support/small-matrix.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { showPlan } from '../../report/tables/plan-table.js';
import type { RunPlan } from '../experiment.js';
import { planRun } from '../planning/plan-run.js';

/** Nothing listens there: a plan sends nothing. */
const NOWHERE = { url: 'http://127.0.0.1:9/v1' } as OpenAiServer;
const TURNS = [{ name: 'turns', retrieval: { strategy: 'semantic', unit: 'turns', limit: 3 } }];

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

async function planWith(ceilings: string, parts: Parameters<typeof writeRemoteMatrix>[2] = {}): Promise<RunPlan> {
  await writeRemoteMatrix(folder, NOWHERE, parts);
  const path = join(folder, 'priced.yaml');
  if (ceilings !== '') await editFile(path, 'query_preparation:\n', `query_preparation:\n  ceilings: ${ceilings}\n`);
  return planRun(path, {});
}

const usd = (nano: number): string => (nano / 1e9).toFixed(9);

describe('what a plan says of the ceilings of embedding', () => {
  it('MX-6 SQ-9 shows what each owner’s vectors need against both, in whole quanta', async () => {
    for (const id of ['small', 'other']) await writeFixture(folder, id);
    await writeFixture(folder, 'again');
    await editFile(join(folder, 'again', 'fixture.yaml'), 'principal: again', 'principal: small');
    const plan = await planWith('', { formation: 'none', arms: TURNS, fixtures: ['./small', './other', './again'] });
    const { ceilings, owners, admitted } = plan.embedding;
    expect(ceilings).toEqual({ request_nano_usd: 100_000_000, day_nano_usd: 1_000_000_000 });
    expect(owners.map(({ tenant, principal }) => `${tenant}/${principal}`)).toEqual([
      `${E2E_TENANT}/small`,
      `${E2E_TENANT}/other`,
    ]);
    const [small, other] = owners as [RunPlan['embedding']['owners'][number], RunPlan['embedding']['owners'][number]];
    expect(small.worst_nano_usd).toBe(2 * (other.worst_nano_usd ?? 0));
    expect(small.requests).toBe(2 * other.requests);
    expect(small.largest_request_nano_usd).toBe(other.largest_request_nano_usd);
    for (const amount of [small.expected_nano_usd, small.worst_nano_usd, small.largest_request_nano_usd])
      expect((amount ?? 1) % 1_000).toBe(0);
    expect(small.expected_nano_usd).toBeLessThan(small.worst_nano_usd ?? 0);
    // Rounding up never needs less than the run's own ledger does.
    const worst = owners.reduce((sum, { worst_nano_usd }) => sum + (worst_nano_usd ?? 0), 0);
    expect(worst).toBeGreaterThanOrEqual((plan.index.worst_nano_usd ?? 0) + (plan.query.worst_nano_usd ?? 0));
    expect({ admitted, all: plan.admitted }).toEqual({ admitted: 'yes', all: 'yes' });
    const shown = showPlan(plan);
    expect(shown).toContain(`embeddings of ${E2E_TENANT}/small`);
    expect(shown).toContain('the ceilings hold the worst case');
    expect(shown).toContain('what was spent today is not looked at');
  });

  it('MX-6 SQ-9 a day that does not hold the worst case is no admission, at the very quantum', async () => {
    const parts = { formation: 'none', arms: TURNS } as const;
    const worst = (await planWith('', parts)).embedding.owners[0]?.worst_nano_usd ?? expect.fail();
    const largest = `request_usd: "${usd(worst)}"`;
    expect((await planWith(`{ ${largest}, day_usd: "${usd(worst)}" }`, parts)).admitted).toBe('yes');
    const short = await planWith(`{ request_usd: "${usd(worst - 1)}", day_usd: "${usd(worst - 1)}" }`, parts);
    expect([short.admitted, short.embedding.admitted]).toEqual(['not-the-worst-case', 'not-the-worst-case']);
    expect(showPlan(short)).toContain('THE CEILINGS DO NOT HOLD THE WORST CASE');
  });

  it('MX-6 SQ-9 a request that the ceiling can never admit is refused by plan’s word, and by run before anything starts', async () => {
    const plan = await planWith('{ request_usd: "0.000001" }');
    expect([plan.admitted, plan.embedding.admitted]).toEqual(['no', 'no']);
    expect(showPlan(plan)).toContain('A REQUEST IS ABOVE THE CEILING: run refuses');
    const refused = runRemote(folder, { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(refused).rejects.toMatchObject({ code: 'EMBEDDING_CEILING_TOO_LOW', kind: 'budget', exitCode: 4 });
  });

  it('MX-6 what is merely estimated refuses nothing: beliefs that are still to be formed', async () => {
    const plan = await planWith('{ request_usd: "0.0001" }');
    expect([plan.admitted, plan.embedding.admitted]).toEqual(['not-the-worst-case', 'not-the-worst-case']);
    const refused = runRemote(folder, { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(refused).rejects.toMatchObject({ kind: 'database' });
  });

  it('MX-6 an embedder that sends nothing has none', async () => {
    const plan = await planWith('', { embedding: { provider: 'local', model: 'use-lite-512' } });
    expect(plan.embedding).toMatchObject({ ceilings: null, owners: [], admitted: 'yes' });
    expect(showPlan(plan)).not.toContain('ceiling');
  });
});
