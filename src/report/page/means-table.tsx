import type { ComponentChildren, VNode } from 'preact';
import type { MeanFigure } from '../figures/question-means.js';
import { FigureTable } from './figure-table.js';
import { MeanCell } from './mean-cell.js';

/** Means by row and column. A number of questions that a whole column, or a whole row, has in common stands once, beside its name. */
export interface MeansTableProps {
  readonly caption: string;
  /** What the rows are. */
  readonly corner: string;
  readonly columns: readonly ComponentChildren[];
  readonly rows: readonly {
    readonly name: ComponentChildren;
    readonly means: readonly (MeanFigure | null)[];
    readonly rule?: boolean;
  }[];
  /** Whether cells are shaded by their mean, from 0 to the highest: the number stands in each, so that shade alone tells nothing. */
  readonly isShaded?: boolean;
}

export function MeansTable({ caption, corner, columns, rows, isShaded = false }: MeansTableProps): VNode {
  const highest = Math.max(0, ...rows.flatMap(({ means }) => means.map((figure) => figure?.mean ?? 0)));
  const ofColumn = columns.map((_, column) => commonCount(rows.map(({ means }) => means[column] ?? null)));
  const ofRow = rows.map(({ means }) => commonCount(means));
  const inName = ofColumn.some((count) => count === null) && ofRow.every((count) => count !== null);
  return (
    <FigureTable
      caption={caption}
      head={[
        corner,
        ...columns.map((column, place) => (
          <Counted name={column} count={inName ? null : ofColumn[place]} key={place} />
        )),
      ]}
      rows={rows.map(({ name, means, rule }, place) => ({
        name: <Counted name={name} count={inName ? ofRow[place] : null} />,
        cells: means.map((figure, column) => (
          <MeanCell figure={figure} isCounted={!inName && ofColumn[column] === null} key={column} />
        )),
        ...(rule === undefined ? {} : { rule }),
        ...(isShaded ? { shades: means.map((figure) => shadeOf(figure, highest)) } : {}),
      }))}
    />
  );
}

function Counted({
  name,
  count,
}: {
  readonly name: ComponentChildren;
  readonly count: number | null | undefined;
}): VNode {
  return (
    <>
      {name}
      {count == null ? null : <small> n={count}</small>}
    </>
  );
}

/** How many questions all of these means are over; null where they differ. What has no mean has no say, and where none has one it is 0. */
function commonCount(figures: readonly (MeanFigure | null)[]): number | null {
  const counts = new Set(figures.flatMap((figure) => (figure?.mean == null ? [] : [figure.questions])));
  if (counts.size > 1) return null;
  const [count = 0] = counts;
  return count;
}

function shadeOf(figure: MeanFigure | null, highest: number): number | null {
  if (figure?.mean == null || highest <= 0) return null;
  return Math.max(0, figure.mean / highest);
}
