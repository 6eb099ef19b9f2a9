import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { MeansTable } from './means-table.js';

const mean = (value: number | null, questions: number) => ({ mean: value, questions, rows: questions });

/** The rows of a table, head first, as they are read. */
function read(...rows: ReturnType<typeof mean>[][]): string[] {
  const named = rows.map((means, place) => ({ name: `r${place + 1}`, means }));
  const markup = renderToString(<MeansTable caption="Means" corner="arm" columns={['a', 'b']} rows={named} isShaded />);
  return [...markup.matchAll(/<tr.*?<\/tr>/g)].map(([row]) =>
    row
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

it('OB-4 the number of questions stands once where a column has it in common, or every row has; else in the cells', () => {
  expect(read([mean(0.5, 4), mean(1, 9)], [mean(null, 0), mean(0, 9)])).toEqual([
    'arm a n=4 b n=9',
    'r1 0.500 1.000',
    'r2 – 0.000',
  ]);
  expect(read([mean(0.5, 4), mean(1, 4)], [mean(0.2, 9), mean(0, 9)])).toEqual([
    'arm a b',
    'r1 n=4 0.500 1.000',
    'r2 n=9 0.200 0.000',
  ]);
  expect(read([mean(0.5, 4), mean(1, 9)], [mean(0.2, 3), mean(0, 9)])).toEqual([
    'arm a b n=9',
    'r1 0.500 n=4 1.000',
    'r2 0.200 n=3 0.000',
  ]);
  expect(read([mean(null, 0), mean(null, 0)])).toEqual(['arm a n=0 b n=0', 'r1 – –']);
});
