import { InvalidInputErrors } from '../../core/errors.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { type ExaminedFixture, openFixture } from '../examined-fixture.js';
import type { CheckedFixture } from './other-system.js';
import { readOtherSystems } from './user-parts.js';

/**
 * Checks the files of other systems that a matrix names against its fixtures and its load (RT-7), before anything is sent. Histories are
 * opened one at a time, and of their turns those are kept that a file cites.
 *
 * @throws {InvalidInputErrors} every fault of every file, with its line.
 */
export async function checkOtherSystems(
  loaded: LoadedMatrix,
  fixtures: readonly ExaminedFixture[],
  selected: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const others = [...(await readOtherSystems(loaded)).values()];
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
  const faults = others.flatMap((other) => other.faultsAgainst(checked));
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}
