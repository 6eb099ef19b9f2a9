import type pg from 'pg';
import { formationSteps } from '../fixture/batches.js';
import type { Fixture } from '../fixture/fixture.js';
import { postgresBeliefStore } from '../memory/beliefs/postgres-belief-store.js';

/** Stores what was said, with its corrections and erasures, and forms nothing: for `formation: none`. */
export async function storeTurns(pool: pg.Pool, fixture: Fixture): Promise<void> {
  const store = postgresBeliefStore(pool, fixture.manifest.owner);
  for (const step of formationSteps(fixture.history)) {
    if (step.kind === 'erasure') await store.eraseTurn(step.of);
    else if (step.batch.kind === 'correction')
      await store.correctTurn(step.batch.correction.of, step.batch.correction.text);
    else await store.appendTurns(step.batch.turns);
  }
}
