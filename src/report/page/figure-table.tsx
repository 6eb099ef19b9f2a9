import type { ComponentChildren, VNode } from 'preact';
import { columnGroups } from './column-groups.js';
import { Scroll } from './scroll.js';

/** A table of figures: its first column names the row. One with many columns stands as several, so that a screen, and paper, have room for it. */
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
  /** From 0 to 1: how strong the ground of each cell is; null where it has none. */
  readonly shades?: readonly (number | null)[];
}

export function FigureTable({ caption, ...table }: FigureTableProps): VNode {
  const groups = columnGroups(table.head.length - 1);
  return (
    <>
      {groups.map((columns, index) => (
        <OneTable
          {...table}
          caption={groups.length === 1 ? caption : `${caption} (${index + 1} of ${groups.length})`}
          columns={columns}
          key={index}
        />
      ))}
    </>
  );
}

function OneTable({
  caption,
  head,
  rows,
  texts = [],
  columns,
}: FigureTableProps & {
  /** Those that it shows: places among the cells. */
  readonly columns: readonly number[];
}): VNode {
  const numeric = (column: number): string | undefined => (texts.includes(column) ? undefined : 'number');
  return (
    <Scroll label={caption}>
      <table class={rows.some(({ shades }) => shades !== undefined) ? 'shaded' : undefined}>
        <caption>
          <span>{caption}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">{head[0]}</th>
            {columns.map((column) => (
              <th scope="col" class={numeric(column + 1)} key={column}>
                {head[column + 1]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells, rule, shades }, row) => (
            <tr class={rule === true ? 'rule' : undefined} key={row}>
              <th scope="row">{name}</th>
              {columns.map((column) => (
                <td class={numeric(column + 1)} style={shadeStyle(shades?.[column] ?? null)} key={column}>
                  {cells[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The style sheet makes a colour of it. */
function shadeStyle(shade: number | null): string | undefined {
  return shade === null ? undefined : `--level:${shade.toFixed(3)}`;
}
