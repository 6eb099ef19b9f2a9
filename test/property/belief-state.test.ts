import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.js';
import { firstDifference } from '../../src/parity/compare-states.js';
import type { BeliefState } from '../../src/parity/parity.js';

const value = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('a', 'b', ''),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
);
const records = fc
  .uniqueArray(fc.record({ id: fc.constantFrom('1', '2', '3', '4', '5'), statement: value, confidence: value }), {
    selector: (record) => record.id,
    maxLength: 5,
  })
  .map((list) => list.map((record, index) => ({ ...record, position: index + 1 })));
const state: fc.Arbitrary<BeliefState> = fc
  .dictionary(fc.constantFrom('belief', 'person', 'turn'), records, { maxKeys: 3, noNullPrototype: true })
  .map((tables) => ({ format: 'belief-state@1', tables }));

test('ST-1 two states have a difference exactly where their canonical JSON differs', () => {
  fc.assert(
    fc.property(state, state, fc.boolean(), (a, other, isEqual) => {
      const b = isEqual ? structuredClone(a) : other;
      expect(firstDifference(a, b) === null).toBe(canonicalJson(a) === canonicalJson(b));
    }),
    { numRuns: 2_000 },
  );
});

test('ST-3 a single changed field is the one that is named', () => {
  fc.assert(
    fc.property(state, fc.nat(), fc.constantFrom('statement', 'confidence'), (before, pick, field) => {
      const places = Object.entries(before.tables).flatMap(([table, list]) =>
        list.map((_record, place) => ({ table, place })),
      );
      fc.pre(places.length > 0);
      const { table, place } = places[pick % places.length]!;
      const tables = {
        ...before.tables,
        [table]: before.tables[table]!.map((record, index) =>
          index === place ? { ...record, [field]: 'changed' } : record,
        ),
      };
      const difference = firstDifference(before, { ...before, tables });
      expect(difference).toMatchObject({ table, field, found: 'changed' });
      expect(difference?.record).toBe(`id="${String(before.tables[table]![place]!.id)}"`);
    }),
  );
});

test('ST-2 a change of order alone is named as one', () => {
  fc.assert(
    fc.property(records, fc.nat(), (list, pick) => {
      fc.pre(list.length > 1);
      const from = pick % (list.length - 1);
      const moved = [...list];
      [moved[from], moved[from + 1]] = [moved[from + 1]!, moved[from]!];
      const renumbered = moved.map((record, index) => ({ ...record, position: index + 1 }));
      const difference = firstDifference(
        { format: 'belief-state@1', tables: { belief: list } },
        { format: 'belief-state@1', tables: { belief: renumbered } },
      );
      expect(difference).toMatchObject({ table: 'belief', field: '(position)', expected: from + 1, found: from + 2 });
    }),
  );
});
