import type { Digest } from '../../src/core/digest.js';
import { digestText } from '../../src/core/digest.js';
import type { Observation } from '../../src/experiment/asking/observation.js';
import type { Cause } from '../../src/experiment/asking/row-cause.js';
import { NO_USAGE } from '../../src/provider/usage.js';

export const SAMPLE_DIGEST: Digest = digestText('sample');

/** Why a row has no answer; a test says only what matters to it. */
export const SAMPLE_CAUSE: Cause = {
  stage: 'reader',
  kind: 'provider',
  code: 'X',
  message: 'it failed',
  remedy: null,
  own_making: false,
};

/** An answered, scored row of arm `bm25`; a test says only what matters to it. */
export function sampleRow(changes: Partial<Observation> = {}): Observation {
  const stage = { usage: NO_USAGE, nano_usd: 0 };
  return {
    format: 'observation@1',
    run: 'run-1',
    matrix: SAMPLE_DIGEST,
    fixture: 'harbour',
    corpus: SAMPLE_DIGEST,
    bank: SAMPLE_DIGEST,
    vector_bank: null,
    load: SAMPLE_DIGEST,
    labels: SAMPLE_DIGEST,
    prompt: SAMPLE_DIGEST,
    state: SAMPLE_DIGEST,
    arm: 'bm25',
    reference: false,
    oracle: false,
    position: 0,
    question: 'q1',
    repeat: 1,
    replicate: 1,
    category: 'single-hop',
    answerable: true,
    parity: 'equal',
    replayed_calls: 12,
    strategy: 'bm25',
    unit: 'beliefs',
    mode: 'standard',
    recall: 'automatic',
    searches: [],
    effective_strategy: 'bm25',
    lookup_miss: null,
    retrieved: [],
    lessons: [],
    context: { tokens: 100, digest: SAMPLE_DIGEST, included: [], left_out: [] },
    answer: 'Harbour Lane',
    abstained: false,
    scores: { 'token-f1': 1 },
    applicable: ['token-f1'],
    miss: null,
    judgements: {},
    outcome: { kind: 'answered', cause: null },
    timings_ms: { recall: 1, context: 1, reader: 1 },
    attributed: { formation: stage, index: stage, query: stage, reader: stage, nano_usd: 0 },
    actual: { calls: 0, usage: NO_USAGE, nano_usd: 0, uncertain_nano_usd: 0 },
    reported_models: [],
    request: SAMPLE_DIGEST,
    ...changes,
  };
}

/** The same, lost or failed: no score, and why. */
export function failedRow(ownMaking: boolean, changes: Partial<Observation> = {}): Observation {
  return sampleRow({
    scores: { 'token-f1': null },
    outcome: {
      kind: 'failed',
      cause: { ...SAMPLE_CAUSE, own_making: ownMaking },
    },
    ...changes,
  });
}
