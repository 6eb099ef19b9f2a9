import { Fragment, type VNode } from 'preact';
import type { DatasetFigures } from '../figures/figures.js';
import { DataText } from './data-text.js';

/** What a section shows of each dataset, under its name where there are several: they are never pooled (RP-3). */
export async function byDataset(
  datasets: readonly DatasetFigures[],
  show: (figures: DatasetFigures, place: number) => VNode | Promise<VNode>,
): Promise<VNode> {
  const shown = await Promise.all(datasets.map(show));
  return (
    <>
      {shown.map((content, place) => (
        <Fragment key={place}>
          {datasets.length === 1 ? null : (
            <h3>
              <DataText text={datasets[place]?.dataset ?? ''} />
            </h3>
          )}
          {content}
        </Fragment>
      ))}
    </>
  );
}
