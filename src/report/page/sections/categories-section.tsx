import type { VNode } from 'preact';
import type { ArmFigures, DatasetFigures } from '../../figures/figures.js';
import type { MeanFigure } from '../../figures/question-means.js';
import { byDataset } from '../by-dataset.js';
import { DataText } from '../data-text.js';
import { HeatMap } from '../heat-map.js';
import type { ReportModel } from '../report-model.js';
import { ArmName, orderedArms } from './arms-section.js';

/** The primary score by category of question and by conversation, as heat maps (RP-5). */
export async function categoriesSection(model: ReportModel): Promise<VNode> {
  const { primary } = model.matrix.analysis;
  return (
    <>
      <p>
        Mean {primary}; the stronger the ground, the nearer it is to the highest of its table. n is the number of
        questions. What differs here between few questions may be chance: nothing in these tables is tested.
      </p>
      {
        await byDataset(model.datasets, (figures) => (
          <>
            <h4>By category</h4>
            {map(model, figures, figures.categories, 'category', ({ by_category }) => by_category)}
            <h4>By conversation</h4>
            {map(model, figures, figures.conversations, 'conversation', ({ by_conversation }) => by_conversation)}
          </>
        ))
      }
    </>
  );
}

/** Arms across, what is told apart down: there are more conversations than arms. */
function map(
  model: ReportModel,
  figures: DatasetFigures,
  names: readonly string[],
  noun: string,
  figuresOf: (arm: ArmFigures) => readonly (MeanFigure | null)[],
): VNode {
  const arms = orderedArms(model, figures);
  return (
    <HeatMap
      caption={`Mean ${model.matrix.analysis.primary} by ${noun} and arm`}
      corner={noun}
      columns={arms.map(({ arm }) => <ArmName model={model} arm={arm} key={arm} />)}
      rows={names.map((name, index) => ({
        name: <DataText text={name} />,
        cells: arms.map((arm) => figuresOf(arm)[index] ?? null),
      }))}
    />
  );
}
