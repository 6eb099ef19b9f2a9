import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { digestJson } from '../core/digest.js';
import type { InvalidInputErrors } from '../core/errors.js';
import { evaluation, failure, success, trial } from './bootstrap/sample-events.js';
import { replayLog } from './describe-lessons.js';
import { loadThresholdProfile } from './load-profile.js';
import { PAPER_PROFILE, type ThresholdProfile } from './threshold-profile.js';

const EAGER: ThresholdProfile = { ...PAPER_PROFILE, name: 'eager', version: 2, unassisted_successes: 1 };
const GUARDED = { ...EAGER, name: 'guarded', minimum_age_days: 9 };

async function loaded(text: string): Promise<ThresholdProfile> {
  const file = join(await temporaryFolder(), 'profile.yaml');
  await writeFile(file, text);
  return loadThresholdProfile(file);
}

it('LE-5 a profile is read from YAML or JSON, whole, and says the same in both', async () => {
  expect(await loaded(JSON.stringify(EAGER))).toEqual(EAGER);
  const lines = Object.entries(EAGER).map(([key, value]) => `${key}: ${value}\n`);
  expect(await loaded(lines.join(''))).toEqual(EAGER);
});

it.each([
  ['calibrated', 'no profile says of itself that it was measured', { calibrated: true }],
  ['recurrence_runs', 'one failure is no recurrence', { recurrence_runs: 1 }],
  ['version', 'a version', { version: undefined }],
])('LE-5 a profile is refused for its %s: %s', async (key, _why, change) => {
  const { errors } = await loaded(JSON.stringify({ ...EAGER, ...change })).then(
    () => expect.fail('it was read'),
    (error: unknown) => error as InvalidInputErrors,
  );
  expect(errors).toHaveLength(1);
  expect(errors[0]?.message).toContain(key);
  expect(errors[0]?.exitCode).toBe(2);
});

it('LE-5 LE-3 a log is replayed under a profile, up to a time too, and each document tells its digest', () => {
  const events = [failure(0, trial('r0')), success(1, trial('r1')), evaluation(7), evaluation(9)];
  const log = { path: 'log', events, torn_bytes: 0 };
  const moves = (profile?: ThresholdProfile, at: string | null = null) =>
    replayLog(log, at, profile).transitions.map(({ to, at: when }) => `${to} ${when.slice(0, 10)}`);
  expect(moves()).toEqual(['candidate 2026-03-01']);
  expect(moves(EAGER)).toEqual(['candidate 2026-03-01', 'expired 2026-03-08']);
  expect(moves(GUARDED)).toEqual(['candidate 2026-03-01', 'expired 2026-03-10']);
  expect(moves(EAGER, evaluation(8).at)).toEqual(['candidate 2026-03-01', 'expired 2026-03-08']);
  expect(moves(GUARDED, evaluation(8).at)).toEqual(['candidate 2026-03-01']);
  const { profile, profile_digest, projection_sha256 } = replayLog(log, null, EAGER);
  expect([profile, profile_digest]).toEqual([EAGER, digestJson(EAGER)]);
  expect(projection_sha256).not.toBe(replayLog(log, null).projection_sha256);
});
