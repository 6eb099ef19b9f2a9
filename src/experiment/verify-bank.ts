import { readBankFile } from '../bank/completed-banks.js';
import { identityDifferences } from '../bank/identity-difference.js';
import { implementationDigest } from '../bank/implementation-digest.js';
import { ReplayingProvider } from '../bank/replaying-provider.js';
import { readState } from '../bank/state-file.js';
import type { Clock } from '../core/clock.js';
import type { Digest } from '../core/digest.js';
import { bankRefused, invalidInput } from '../core/errors.js';
import { loadFixture } from '../fixture/load.js';
import { builtInRuntime } from '../memory/built-in-runtime.js';
import { firstDifference, parityRefusal } from '../parity/compare-states.js';
import { readBeliefState } from '../parity/read-belief-state.js';
import { openPostgres } from '../postgres/open.js';
import { storeMigrations } from './formation/formation-settings.js';
import { assertThere } from './inspect-banks.js';
import { loadMatrixAsFound } from './reproducing/prepare-one-fixture.js';
import { UserParts } from './user-parts/user-parts.js';

/** What `bank verify` found (FB-15). */
export interface VerifiedBank {
  readonly format: 'bank-verification@1';
  readonly bank: Digest;
  readonly fixture: string;
  readonly calls: number;
  readonly state: Digest;
  readonly beliefs: number;
  readonly people: number;
}

/**
 * Replays a bank against its fixture and compares the state with the sealed one. Nothing is sent: no provider is built.
 *
 * @throws exit 5 where the bank was changed, is for another history or implementation, or refuses the replay; exit 6 where the state differs.
 */
export async function verifyBank(options: {
  readonly bankPath: string;
  readonly fixturePath: string;
  /** Of a matrix that names the bank's policy module; null where none is named. */
  readonly matrixPath: string | null;
  readonly databaseUrl: string | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<VerifiedBank> {
  await assertThere(options.bankPath, 'bank');
  const { bank, path } = await readBankFile(options.bankPath);
  const sealed = await readState(path, bank);
  const fixture = await loadFixture(options.fixturePath);
  const { identity } = bank;
  const expected = {
    ...identity,
    corpus: fixture.corpus,
    owner: fixture.manifest.owner,
    implementation: implementationDigest(),
  };
  const differs = identityDifferences(identity, expected);
  if (differs.length > 0) {
    throw bankRefused(
      'BANK_IDENTITY_DIFFERS',
      `${path} differs from ${fixture.manifest.id} under this build in ${differs.join(', ')}`,
      {
        remedy: differs.includes('implementation')
          ? 'verify it with the build that recorded it, or record anew'
          : 'name the fixture that it was recorded from',
      },
    );
  }
  const parts = await policyParts(identity.policy, path, options);
  const postgres = await openPostgres({
    databaseUrl: options.databaseUrl,
    clock: options.clock,
    signal: options.signal,
  }).catch(async (error: unknown) => {
    await parts?.close();
    throw error;
  });
  try {
    const database = await postgres.createScratch(await storeMigrations());
    const { profile, owner, policy, persistence } = identity;
    const { parameters, ...model } = profile;
    const settings = {
      owner,
      policy,
      persistence,
      parameters,
      fixture: fixture.manifest.id,
      model: { ...model, resolved_at: options.clock.now(), credential_ref: null },
    };
    const replaying = new ReplayingProvider(bank);
    await builtInRuntime(database.runtime, { policy: parts?.policy ?? null }).form(
      fixture.history,
      settings,
      replaying,
      options.signal,
    );
    replaying.assertConsumed();
    const found = await readBeliefState(database.admin);
    const difference = firstDifference(sealed, found.state);
    if (difference !== null) throw parityRefusal(difference);
    return {
      format: 'bank-verification@1',
      bank: bank.digest,
      fixture: fixture.manifest.id,
      calls: bank.call_count,
      state: found.digest,
      beliefs: found.beliefs,
      people: found.people,
    };
  } finally {
    await postgres.close();
    await parts?.close();
  }
}

/** The user's parts that hold a bank's policy module (RT-6); null where its policy is built in. */
async function policyParts(
  policy: string,
  bankPath: string,
  { matrixPath, clock }: Pick<Parameters<typeof verifyBank>[0], 'matrixPath' | 'clock'>,
): Promise<UserParts | null> {
  if (!policy.startsWith('module@')) return null;
  if (matrixPath === null)
    throw invalidInput(
      'POLICY_MODULE_NEEDED',
      `${bankPath} was formed by a policy module, and no matrix names it here`,
      {
        remedy: 'name a matrix whose formation.policy is that module, with --matrix',
      },
    );
  const parts = await UserParts.open(await loadMatrixAsFound(matrixPath, {}), clock);
  if (parts.policy?.name === policy) return parts;
  const found = parts.policy?.name ?? 'a built-in policy';
  await parts.close();
  throw bankRefused('BANK_IDENTITY_DIFFERS', `${bankPath} was formed by ${policy}, and ${matrixPath} has ${found}`, {
    remedy: 'restore the module as it was when the bank was recorded, or record anew',
  });
}
