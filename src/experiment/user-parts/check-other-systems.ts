import { InvalidInputErrors, invalidInput, type RecallMatrixError } from '../../core/errors.js';
import type { ArmSettings, LoadedMatrix } from '../../matrix/matrix.js';
import { type ExaminedFixture, openFixture } from '../examined-fixture.js';
import type { CheckedFixture, OtherSystem } from './other-system.js';
import { readOtherSystems } from './user-parts.js';

/**
 * Checks the files of other systems that a matrix names against its fixtures and its load (RT-7), before anything is sent. Histories are
 * opened one at a time, and of their turns those are kept that a file cites.
 *
 * @throws {InvalidInputErrors} every fault of every file, with its line; `LESSONS_BESIDE_ANSWERS`.
 */
export async function checkOtherSystems(
  loaded: LoadedMatrix,
  fixtures: readonly ExaminedFixture[],
  selected: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const byArm = await readOtherSystems(loaded);
  const others = [...byArm.values()];
  if (others.length === 0) return;
  const cited = new Set(others.flatMap((other) => other.citedTurns()));
  const checked: CheckedFixture[] = [];
  for (const examined of fixtures) {
    const { manifest, questions, history } = await openFixture(examined);
    const said = history.flatMap((event) => (event.kind === 'turn' ? [event.id] : []));
    checked.push({
      id: manifest.id,
      questions: new Set(questions.map((question) => question.id)),
      selected: selected.get(manifest.id) ?? [],
      turns: new Set(said.filter((id) => cited.has(id))),
    });
  }
  const faults = [
    ...others.flatMap((other) => other.faultsAgainst(checked)),
    ...loaded.matrix.arms.flatMap((arm) => lessonFaults(arm, byArm.get(arm.name), checked)),
  ];
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}

/** An answer that stands in the file already was given without any lesson: to inject one would change nothing, and look as if it had (LE-6). */
function lessonFaults(
  arm: ArmSettings,
  other: OtherSystem | undefined,
  fixtures: readonly CheckedFixture[],
): RecallMatrixError[] {
  if (other === undefined || arm.context === undefined) return [];
  for (const { id, selected } of fixtures) {
    const answered = selected.find((question) => other.answerTo(id, question) !== null);
    if (answered === undefined) continue;
    const message = `the arm ${arm.name} injects lessons, and its file answers ${answered} itself: nobody reads them`;
    const remedy = "leave `context` out, or give rankings alone, which the matrix's reader reads";
    return [invalidInput('LESSONS_BESIDE_ANSWERS', message, { remedy })];
  }
  return [];
}
