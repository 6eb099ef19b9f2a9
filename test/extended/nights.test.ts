import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/report/comparison/comparison.js';
import { keptFolder } from '../support/kept-folder.js';
import { type Nights, startNights } from '../support/nights.js';

const QUIET_NIGHTS = 50;
/** `analysis.alpha`: the rate that a night's gate states, which is of a true difference on the threshold; these nights have none at all. */
const RATE = 0.05;

let nights: Nights;
let kept: Awaited<ReturnType<typeof keptFolder>>;

beforeAll(async () => {
  kept = await keptFolder();
  nights = await startNights(kept.path, 'fifty nights', { conversations: 3, questions: 20 });
});

afterAll(async () => {
  await nights?.close();
  await kept?.remove();
});

/** The difference that the last night's comparison saw. */
async function estimateOfLastNight(): Promise<number> {
  const folder = join(nights.artefacts, 'nights');
  const last = (await readdir(folder)).sort().at(-1) as string;
  const { datasets } = JSON.parse(await readFile(join(folder, last, 'comparison.json'), 'utf8')) as Comparison;
  const found = datasets[0]?.contrasts[0]?.these_conversations;
  if (found?.kind !== 'estimated') throw new Error(`no estimate: ${found?.kind}`);
  return found.estimate;
}

describe('RP-4 fifty quiet nights of a reader that is right in seven of ten answers, drawn anew each night', () => {
  it('RP-4 has no more false alarms than its gate states, and then finds a planted fall', async () => {
    expect((await nights.night({ quality: 0.7 })).outcome).toBe('first');
    const outcomes: string[] = [];
    const seen: number[] = [];
    for (let n = 0; n < QUIET_NIGHTS; n += 1) {
      outcomes.push((await nights.night({ quality: 0.7 })).outcome);
      seen.push(await estimateOfLastNight());
    }
    const alarms = outcomes.filter((outcome) => outcome === 'regression').length;
    expect(alarms + outcomes.filter((outcome) => outcome === 'passed').length).toBe(QUIET_NIGHTS);
    expect(alarms / QUIET_NIGHTS).toBeLessThanOrEqual(RATE);
    // There was noise to be fooled by: an estimate held against the same threshold would have failed many of these nights.
    expect(seen.filter((estimate) => estimate < -0.02).length).toBeGreaterThan(QUIET_NIGHTS / 5);
    const fallen = await nights.night({ quality: 0.35 });
    expect(fallen, fallen.said.join('\n')).toMatchObject({ outcome: 'regression', exit_code: 3 });
  }, 400_000);
});
