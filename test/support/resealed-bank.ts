import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bank } from '../../src/bank/bank.js';
import { bankBytes, sealBank } from '../../src/bank/bank-format.js';
import { bankPath, statePath } from '../../src/bank/bank-names.js';
import { canonicalJson } from '../../src/core/canonical-json.js';
import { digestJson } from '../../src/core/digest.js';
import type { BeliefState } from '../../src/parity/parity.js';

/** The one completed bank of a fixture in a folder. */
export async function bankIn(folder: string, fixture: string): Promise<{ path: string; bank: Bank }> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${fixture}-`) && name.endsWith('.bank.json'));
  const [name] = names;
  if (names.length !== 1 || name === undefined) throw new Error(`${folder} holds ${names.length} banks of ${fixture}`);
  const path = join(folder, name);
  return { path, bank: JSON.parse(await readFile(path, 'utf8')) as Bank };
}

/** What to change of a bank: each is handed the recorded part, and gives what is sealed in its place. */
export interface Changes {
  readonly identity?: (identity: Bank['identity']) => Bank['identity'];
  readonly calls?: (calls: Bank['calls']) => Bank['calls'];
  readonly state?: (state: BeliefState) => BeliefState;
}

/**
 * Replaces a fixture's bank with one that the project's own seal makes of changed parts: intact in every way, and not what was recorded.
 *
 * @returns the new bank.
 */
export async function reseal(folder: string, fixture: string, changes: Changes): Promise<Bank> {
  const { path, bank } = await bankIn(folder, fixture);
  const recorded = JSON.parse(await readFile(statePath(path), 'utf8')) as BeliefState;
  const state = changes.state?.(structuredClone(recorded)) ?? recorded;
  const resealed = sealBank({
    identity: changes.identity?.(structuredClone(bank.identity)) ?? bank.identity,
    calls: changes.calls?.(structuredClone(bank.calls)) ?? bank.calls,
    state: { ...bank.state, digest: digestJson(state) },
    recordedAt: bank.recorded_at,
  });
  if (resealed.digest === bank.digest) throw new Error('the changes change nothing');
  await Promise.all([rm(path), rm(statePath(path))]);
  const target = bankPath(folder, fixture, resealed.digest);
  await writeFile(target, bankBytes(resealed));
  await writeFile(statePath(target), `${canonicalJson(state)}\n`);
  return resealed;
}
