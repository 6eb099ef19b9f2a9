import { shortDigest } from '../../core/digest.js';
import type { FormationResult, VectorResult } from '../../experiment/experiment.js';
import { showActual, showNanoUsd } from '../money-text.js';
import { attributedOf, callsOf, groupedFormations, paidOf } from './formation-line.js';
import { FORMATION_SOURCES, VECTOR_SOURCES } from './formation-words.js';
import { plainTable } from './table.js';

/** With more fixtures than this, those of one source and review share a line; `run.json` has each. */
const MANY_FIXTURES = 40;

/** Where each fixture's formation and vectors came from, and what formation cost. */
export function showFormation(formation: readonly FormationResult[]): string {
  if (formation.length > MANY_FIXTURES) return showManyFormations(formation);
  const hasReplicates = formation.some(({ replicate }) => replicate > 1);
  const own = hasReplicates ? ['replicate'] : [];
  const vectors = formation.some(embeddingSent) ? ['vectors, actual'] : [];
  const head = ['formation', 'calls', 'bank', 'state', 'vectors', 'attributed', 'actual', ...vectors, 'corpus review'];
  return plainTable(
    ['fixture', ...own, ...head],
    formation.map((fixture) => [
      fixture.fixture,
      ...own.map(() => String(fixture.replicate)),
      FORMATION_SOURCES[fixture.source],
      String(fixture.calls),
      fixture.bank === null ? '–' : shortDigest(fixture.bank),
      fixture.state === null ? '–' : shortDigest(fixture.state),
      fixture.vectors.map(showVectors).join(', ') || '–',
      fixture.source === 'none' ? '–' : showNanoUsd(fixture.attributed_nano_usd),
      showActual(fixture.actual_nano_usd, fixture.uncertain_nano_usd),
      ...vectors.map(() => showEmbedding([fixture])),
      fixture.review,
    ]),
    hasReplicates ? [1, 3] : [2],
  );
}

function embeddingSent({ embedding: { index, query } }: FormationResult): boolean {
  return index.sends + query.sends > 0;
}

/** What was paid for vectors, of items and questions (LG-12). */
function showEmbedding(formation: readonly FormationResult[]): string {
  return paidOf(formation.flatMap(({ embedding: { index, query } }) => [index, query]));
}

/** Whether vectors were replayed or embedded, a unit each (VB-1). */
function showVectors({ unit, source, vector_bank }: VectorResult): string {
  return `${unit} ${VECTOR_SOURCES[source]}${vector_bank === null ? '' : ` ${shortDigest(vector_bank)}`}`;
}

function showManyFormations(formation: readonly FormationResult[]): string {
  const vectors = formation.some(embeddingSent) ? ['vectors, actual'] : [];
  return plainTable(
    ['fixtures', 'formation', 'calls', 'attributed', 'actual', ...vectors, 'corpus review'],
    groupedFormations(formation).map((group) => {
      const [{ source, review }] = group;
      return [
        String(new Set(group.map(({ fixture }) => fixture)).size),
        FORMATION_SOURCES[source],
        String(callsOf(group)),
        source === 'none' ? '–' : attributedOf(group),
        paidOf(group),
        ...vectors.map(() => showEmbedding(group)),
        review,
      ];
    }),
    [2],
  );
}
