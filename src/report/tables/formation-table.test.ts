import { expect, it } from 'vitest';
import type { FormationResult } from '../../experiment/experiment.js';
import { showFormation } from './formation-table.js';

const NONE_SENT = { sends: 0, actual_nano_usd: 0, uncertain_nano_usd: 0 };

const fixture = (index: number, source: FormationResult['source'], amount: number | null): FormationResult => ({
  fixture: `q${index}`,
  replicate: 1,
  corpus: `sha256:${'0'.repeat(64)}`,
  bank: null,
  vector_bank: null,
  vectors: [],
  source,
  calls: 2,
  attributed_nano_usd: amount,
  actual_nano_usd: 0,
  uncertain_nano_usd: 0,
  embedding: { index: NONE_SENT, query: NONE_SENT },
  state: null,
  live_states: null,
  reported_models: [],
  review: 'unreviewed',
});

it('FX-4 CL-1 a few fixtures have a line each; of many, those of one source share one, and an unknown cost stays unknown', () => {
  const few = showFormation([fixture(1, 'none', 0), fixture(2, 'replayed', null)]);
  expect(few.split('\n')).toHaveLength(3);
  const sent = { sends: 2, actual_nano_usd: 5_000_000, uncertain_nano_usd: 0 };
  const query = { sends: 1, actual_nano_usd: 1_000_000, uncertain_nano_usd: 2_000_000 };
  const remote = { ...fixture(1, 'replayed', 0), embedding: { index: sent, query } };
  expect(showFormation([remote, fixture(2, 'none', 0)]).split('\n')).toEqual([
    expect.stringContaining('vectors, actual'),
    expect.stringContaining('$0.006 (+$0.002 uncertain)'),
    expect.stringContaining('$0.00 '),
  ]);
  const many = [
    ...Array.from({ length: 300 }, (_, index) => fixture(index, 'replayed', 1_000_000)),
    ...Array.from({ length: 200 }, (_, index) => fixture(index, 'recorded', index === 7 ? null : 1_000_000)),
  ];
  expect(showFormation(many).split('\n').slice(1)).toEqual([
    expect.stringMatching(/^300 +replayed .+ 600 +\$0\.30 +\$0\.00 +unreviewed$/),
    expect.stringMatching(/^200 +recorded now +400 +unpriced +\$0\.00 +unreviewed$/),
  ]);
});
