import type { ComponentChildren, VNode } from 'preact';
import type { MeanFigure } from '../figures/question-means.js';
import { MeanCell } from './mean-cell.js';
import { Scroll } from './scroll.js';

/** Means from 0 to 1 as a table whose cells are shaded: the number stands in each, so that shade alone tells nothing. */
export function HeatMap({
  caption,
  corner,
  columns,
  rows,
}: {
  readonly caption: string;
  /** What the rows are. */
  readonly corner: string;
  readonly columns: readonly ComponentChildren[];
  readonly rows: readonly { readonly name: ComponentChildren; readonly cells: readonly (MeanFigure | null)[] }[];
}): VNode {
  const highest = Math.max(0, ...rows.flatMap(({ cells }) => cells.map((figure) => figure?.mean ?? 0)));
  return (
    <Scroll label={caption}>
      <table class="heat-map">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((column, index) => (
              <th scope="col" class="number" key={index}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }, row) => (
            <tr key={row}>
              <th scope="row">{name}</th>
              {cells.map((figure, column) => (
                <td class="number" style={shade(figure, highest)} key={column}>
                  <MeanCell figure={figure} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** How strong the ground is, of the table's highest: the style sheet makes a colour of it. */
function shade(figure: MeanFigure | null, highest: number): string | undefined {
  if (figure === null || figure.mean === null || highest <= 0) return undefined;
  return `--level:${Math.max(0, figure.mean / highest).toFixed(3)}`;
}
