import type { ComponentChildren, VNode } from 'preact';

/** A chart, what it shows, and its numbers in a table: nothing is only a picture. */
export function ChartFigure({
  svg,
  caption,
  children,
  isOpen = false,
}: {
  /** Of `renderChart`: its words are escaped. */
  readonly svg: string;
  readonly caption: ComponentChildren;
  /** The table. */
  readonly children: ComponentChildren;
  /** Whether the table stands there at once; else it unfolds. */
  readonly isOpen?: boolean;
}): VNode {
  return (
    <figure>
      <div class="chart" dangerouslySetInnerHTML={{ __html: svg }} />
      <figcaption>{caption}</figcaption>
      <details open={isOpen}>
        <summary>The numbers of this chart</summary>
        {children}
      </details>
    </figure>
  );
}
