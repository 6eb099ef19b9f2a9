import type { FixtureManifest } from '../../fixture/fixture.js';
import type { Question } from '../../fixture/question.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { preparationBar } from '../../memory/query-preparation/preparation-bar.js';
import { preparationContext } from './preparation-context.js';
import { queryOf } from './query-vectors.js';

/**
 * Whether nothing will be sent of a question, as far as is known at once (SQ-6, SQ-7): every guard but that of credentials, which takes
 * longer. A matrix that prepares nothing bars none.
 */
export function isBarred(
  loaded: LoadedMatrix,
  manifest: Pick<FixtureManifest, 'owner' | 'residency'>,
  question: Question,
): boolean {
  const context = preparationContext(loaded, manifest);
  return context !== null && preparationBar(queryOf(manifest.owner, question), manifest.owner, context) !== null;
}
