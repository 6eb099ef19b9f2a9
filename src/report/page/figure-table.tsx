import type { ComponentChildren, VNode } from 'preact';
import { Scroll } from './scroll.js';

/** A table of figures: its first column names the row. */
export interface FigureTableProps {
  /** What it is of, in words: also of the part that scrolls. */
  readonly caption: string;
  readonly head: readonly ComponentChildren[];
  readonly rows: readonly FigureRow[];
  /** Columns that hold no number, the first not counted; the others stand to the right. */
  readonly texts?: readonly number[];
}

export interface FigureRow {
  readonly name: ComponentChildren;
  readonly cells: readonly ComponentChildren[];
  /** The first of those that stand below a rule. */
  readonly rule?: boolean;
}

export function FigureTable({ caption, head, rows, texts = [] }: FigureTableProps): VNode {
  const numeric = (column: number): string | undefined => (texts.includes(column) ? undefined : 'number');
  const [first, ...others] = head;
  return (
    <Scroll label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((title, column) => (
              <th scope="col" class={numeric(column + 1)} key={column}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells, rule }, row) => (
            <tr class={rule === true ? 'rule' : undefined} key={row}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td class={numeric(column + 1)} key={column}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
