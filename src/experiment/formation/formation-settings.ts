import type { Fixture } from '../../fixture/fixture.js';
import { beliefMigrations } from '../../memory/beliefs/belief-migrations.js';
import type { FormationSettings } from '../../memory/formation/formation.js';
import { recallMigrations } from '../../memory/recall/recall-migrations.js';
import type { Migration } from '../../postgres/postgres.js';
import { formationOf, type Session } from '../session.js';

/** What shapes a fixture's formation under a session's matrix. */
export function formationSettings(session: Session, fixture: Fixture): FormationSettings {
  const { policy, persistence, profile } = formationOf(session.loaded);
  return {
    owner: fixture.manifest.owner,
    policy,
    persistence,
    model: session.providers.resolve(profile),
    parameters: profile.parameters,
    fixture: fixture.manifest.id,
  };
}

/** Every migration of a cell's database, in order. */
export async function storeMigrations(): Promise<readonly Migration[]> {
  return [...(await beliefMigrations()), ...(await recallMigrations())];
}
