import type { VNode } from 'preact';
import type { ArmFigures, DatasetFigures } from '../../figures/figures.js';
import type { MeanFigure } from '../../figures/question-means.js';
import { ArmName } from '../arm-name.js';
import { orderedArms, ruleAt } from '../arm-order.js';
import { byDataset } from '../by-dataset.js';
import { DataText } from '../data-text.js';
import { MeansTable } from '../means-table.js';
import type { ReportModel } from '../report-model.js';

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

/** The longer list stands down the page, where there is room for it. */
function map(
  model: ReportModel,
  figures: DatasetFigures,
  names: readonly string[],
  noun: string,
  figuresOf: (arm: ArmFigures) => readonly (MeanFigure | null)[],
): VNode {
  const arms = orderedArms(model, figures);
  const rule = ruleAt(model, arms);
  const armNames = arms.map(({ arm }) => <ArmName model={model} arm={arm} key={arm} />);
  const things = names.map((name) => <DataText text={name} key={name} />);
  const caption = `Mean ${model.matrix.analysis.primary} by ${noun} and arm`;
  if (names.length > arms.length)
    return (
      <MeansTable
        caption={caption}
        corner={noun}
        columns={armNames}
        rows={things.map((name, index) => ({ name, means: arms.map((arm) => figuresOf(arm)[index] ?? null) }))}
        isShaded
      />
    );
  return (
    <MeansTable
      caption={caption}
      corner="arm"
      columns={things}
      rows={arms.map((arm, index) => ({
        name: armNames[index],
        means: names.map((_, place) => figuresOf(arm)[place] ?? null),
        rule: index === rule,
      }))}
      isShaded
    />
  );
}
