import { InvalidInputErrors, invalidInput, type RecallMatrixError } from '../../../core/errors.js';
import type { RunManifest, RunRecord } from '../../../experiment/run-record.js';
import type { ArmOfRun } from '../arm-of-run.js';
import { type ArmPair, shownArms } from '../pairs-of-arms.js';

type FixtureFacts = RunManifest['fixtures'][number];

/**
 * Refuses runs that asked other questions, or about other histories: no pairing by question means anything then (RP-2).
 *
 * @throws exit 2, every difference named: `COMPARE_OTHER_FIXTURES`, `COMPARE_OTHER_CORPUS`, `COMPARE_OTHER_LOAD`.
 */
export function refuseUnlikeInput(base: RunRecord, head: RunRecord): void {
  const [before, after] = [byId(base), byId(head)];
  const faults = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [one, other] = [before.get(id), after.get(id)];
    if (one === undefined || other === undefined) return [otherFixture(id, one === undefined ? head : base)];
    if (one.corpus !== other.corpus)
      return [
        invalidInput(
          'COMPARE_OTHER_CORPUS',
          `${id} has another history: ${one.corpus} in base, ${other.corpus} in head`,
          {
            remedy: 'run both over the same histories: no difference between these is one of the arms',
          },
        ),
      ];
    if (one.load === other.load) return [];
    return [
      invalidInput(
        'COMPARE_OTHER_LOAD',
        `other questions, other times of them, or other repeats were asked of ${id}: load ${one.load} in base, ${other.load} in head`,
        { remedy: 'run both with the same `load`; a run that has less of it can be extended (run --extend)' },
      ),
    ];
  });
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}

function byId({ manifest }: RunRecord): Map<string, FixtureFacts> {
  return new Map(manifest.fixtures.map((facts) => [facts.id, facts]));
}

function otherFixture(id: string, { run }: RunRecord): RecallMatrixError {
  return invalidInput('COMPARE_OTHER_FIXTURES', `only ${run} asks about ${id}`, {
    remedy: 'run both over the same fixtures (--fixtures)',
  });
}

/**
 * Refuses arms that did not get what they were to have: a lookup missed, so that another strategy answered in the place of theirs (SQ-1, RP-2).
 *
 * @throws `COMPARE_DEGRADED` (exit 2) for each.
 */
export function refuseDegraded(pairs: readonly ArmPair[], isAllowed: boolean): void {
  if (isAllowed) return;
  const faults = degradedArms(pairs).map(({ record, result }) => {
    const misses = Object.entries(result.lookup_misses).map(([word, rows]) => `${word} in ${rows}`);
    return invalidInput(
      'COMPARE_DEGRADED',
      `${result.arm} of ${record.run} is degraded: lookups missed (${misses.join(', ')} rows)`,
      { remedy: 'mend what missed and run it again, or compare it as it is with --allow-degraded' },
    );
  });
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}

/** The arms of what is shown that had any fallback, each once. */
export function degradedArms(pairs: readonly ArmPair[]): ArmOfRun[] {
  return shownArms(pairs).filter(({ result }) => result.degraded);
}

/**
 * Refuses unlike banks, unless they are to be compared all the same (RP-2).
 *
 * @throws `COMPARE_OTHER_BANKS` (exit 2).
 */
export function refuseUnlikeBanks(differing: readonly string[], isAllowed: boolean): void {
  if (differing.length === 0 || isAllowed) return;
  throw invalidInput('COMPARE_OTHER_BANKS', `base and head were formed from unlike banks: ${differing.join('; ')}`, {
    remedy:
      'run head from the banks of base (`bank: replay-only`, `pinned`), or compare questions across banks with --across-banks: formation differs then too',
  });
}
