import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptFolder } from '../support/kept-folder.js';
import { type Nights, startNights } from '../support/nights.js';

let nights: Nights;
let kept: Awaited<ReturnType<typeof keptFolder>>;

beforeAll(async () => {
  kept = await keptFolder();
  nights = await startNights(kept.path, 'nightly 1', { conversations: 3, questions: 20 });
});

afterAll(async () => {
  await nights?.close();
  await kept?.remove();
});

const lastGood = async (): Promise<string> => (await readFile(join(nights.artefacts, 'last-good'), 'utf8')).trim();

describe('RP-4 the nightly job, by the built command', () => {
  // Nights follow each other: each is held against the last good one before it.
  it('RP-4 passes quiet nights with noise, fails on a planted fall, and neither on a planted outage', async () => {
    const first = await nights.night({ quality: 0.8 });
    expect(first).toMatchObject({ outcome: 'first', exit_code: 0 });
    const quiet = await nights.night({ quality: 0.8 });
    expect(quiet).toMatchObject({ outcome: 'passed', exit_code: 0, base: first.run });
    expect(await lastGood()).toBe(quiet.run);

    const fallen = await nights.night({ quality: 0.4 });
    expect(fallen, fallen.said.join('\n')).toMatchObject({ outcome: 'regression', exit_code: 3, base: quiet.run });
    expect(fallen.said.join('\n')).toMatch(
      /last good: token-f1 of turns: regression: the upper bound -0\.\d+ of head - base/,
    );

    const dark = await nights.night({ quality: 0.8, up: false });
    expect(dark, dark.said.join('\n')).toMatchObject({ outcome: 'outage', exit_code: 0, base: quiet.run });
    expect(await lastGood()).toBe(quiet.run);

    const well = await nights.night({ quality: 0.8 });
    expect(well).toMatchObject({ outcome: 'passed', exit_code: 0, base: quiet.run });
    expect(await lastGood()).toBe(well.run);
  });

  it('RP-4 refuses a night whose histories changed, and begins anew where it is told to', async () => {
    const history = join(kept.path, 'talk-1/history.jsonl');
    const text = await readFile(history, 'utf8');
    await writeFile(history, text.replace('The word of', 'Yes, the word of'));
    const refused = await nights.night({ quality: 0.8 });
    expect(refused).toMatchObject({ outcome: 'refused', exit_code: 2 });
    expect(refused.said.at(-1)).toContain('--begin-anew');
    expect(await nights.night({ quality: 0.8 }, { beginAnew: true })).toMatchObject({ outcome: 'first', exit_code: 0 });
  });
});
