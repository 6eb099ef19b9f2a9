import { isDeepStrictEqual } from 'node:util';
import type { Digest } from '../core/digest.js';
import { invalidInput } from '../core/errors.js';
import { type FormationBatch, formationSteps } from '../fixture/batches.js';
import type { Fixture, FixtureOutline } from '../fixture/fixture.js';
import { loadFixture } from '../fixture/load.js';
import { type EmbeddingSize, embeddingSize } from './vectors/embedding-size.js';
import { searchedTexts, turnTexts } from './vectors/searched-texts.js';

/** Bytes that a turn takes in a formation request beside its texts. */
const TURN_FRAME_BYTES = 160;

/** A fixture that was loaded, checked and let go of: a run of many keeps this of each, and opens one after another. */
export interface ExaminedFixture extends FixtureOutline {
  /** Bytes of each formation call's turns, in order: as many as the history needs calls. */
  readonly batch_bytes: readonly number[];
  /** Over the digests of its turns' texts as they are searched: what the vectors of its turns are found by (VB-1). */
  readonly turn_texts: Digest;
  /** How much embedding those texts takes. */
  readonly turn_size: EmbeddingSize;
}

/** Loads and checks a fixture, and keeps its outline. @throws what `loadFixture` throws. */
export async function examineFixture(folder: string): Promise<ExaminedFixture> {
  const { history, ...outline } = await loadFixture(folder);
  const batch_bytes = formationSteps(history).flatMap((step) =>
    step.kind === 'batch' ? [batchBytes(step.batch)] : [],
  );
  const { texts, digest } = searchedTexts(turnTexts(history));
  return { ...outline, batch_bytes, turn_texts: digest, turn_size: embeddingSize(texts) };
}

/**
 * Loads an examined fixture again, when its block is due.
 *
 * @throws `FIXTURE_CHANGED` (exit 2) where it is another by now: rows of two histories are never mixed.
 */
export async function openFixture(examined: ExaminedFixture): Promise<Fixture> {
  const fixture = await loadFixture(examined.path);
  const { history: _history, ...outline } = fixture;
  const { batch_bytes: _bytes, turn_texts: _texts, turn_size: _size, ...before } = examined;
  if (isDeepStrictEqual(outline, before)) return fixture;
  throw invalidInput('FIXTURE_CHANGED', `${examined.manifest.id} was changed after the run had looked at it`, {
    location: { file: examined.path },
    remedy: 'leave fixtures alone while they are run, and run again',
  });
}

function batchBytes(batch: FormationBatch): number {
  const texts =
    batch.kind === 'turns'
      ? batch.turns.map((turn) => [turn.text, turn.caption ?? '', turn.speaker])
      : [[batch.correction.text]];
  return texts.reduce(
    (sum, parts) =>
      sum + TURN_FRAME_BYTES + parts.reduce((bytes, part) => bytes + Buffer.byteLength(JSON.stringify(part)), 0),
    0,
  );
}
