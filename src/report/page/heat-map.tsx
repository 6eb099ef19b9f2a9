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
                <td class="number" style={shade(figure)} key={column}>
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

/** How strong the ground is, from 0 to 1: the style sheet makes a colour of it. */
function shade(figure: MeanFigure | null): string | undefined {
  if (figure === null || figure.mean === null) return undefined;
  return `--level:${Math.min(1, Math.max(0, figure.mean)).toFixed(3)}`;
}
