import type { ComponentChildren, VNode } from 'preact';

/** A chart, what it shows, and its numbers in a table: nothing is only a picture. */
export function ChartFigure({
  svg,
  caption,
  children,
}: {
  /** Of `renderChart`: its words are escaped. */
  readonly svg: string;
  readonly caption: ComponentChildren;
  /** The table. */
  readonly children: ComponentChildren;
}): VNode {
  return (
    <figure>
      <div class="chart" dangerouslySetInnerHTML={{ __html: svg }} />
      <figcaption>{caption}</figcaption>
      <details>
        <summary>The numbers of this chart</summary>
        {children}
      </details>
    </figure>
  );
}
