import type { VNode } from 'preact';
import { counted } from '../../../core/counted.js';
import type { ContrastResult, DatasetComparison } from '../../comparison/comparison.js';
import type { NoiseFloor } from '../../comparison/noise-floor.js';
import { disagreements } from '../../figures/disagreements.js';
import type { DatasetFigures } from '../../figures/figures.js';
import { listed } from '../../listed.js';
import { showConfidence, showDifference, showDifferenceInterval } from '../../number-text.js';
import type { MeanDifference } from '../../statistics/statistics.js';
import { byDataset } from '../by-dataset.js';
import { ChartFigure } from '../chart-figure.js';
import { contrastName, differencesChart } from '../charts/differences.js';
import { DataText } from '../data-text.js';
import { FigureTable } from '../figure-table.js';
import { NO_INTERVAL } from '../mean-cell.js';
import { questionsLink } from '../questions/address.js';
import type { ReportModel } from '../report-model.js';
import { VerdictBasis } from '../verdict-basis.js';
import { sameDifferences } from './same-differences.js';

/** Paired differences of arms, planned and exploratory, with the noise floor and what the load could have shown (RP-3, RP-8). */
export async function differencesSection(model: ReportModel): Promise<VNode> {
  const { comparison, not_compared, matrix } = model;
  if (comparison === null) return <p>No arms are compared: {not_compared ?? 'there is no pair of them'}.</p>;
  const { alpha, power } = matrix.analysis;
  return (
    <>
      <p>
        Each difference is that of the same questions under two arms, averaged over questions. The verdict is that for
        new conversations at {showConfidence(alpha)}, by Holm over the planned contrasts. A tick on either side marks
        the smallest true difference for new conversations that a load of this size finds in {Math.round(power * 100)}{' '}
        of 100 runs: of a planned pair at {alpha} divided by the number of planned contrasts, which is Holm's strictest
        step, of any other at {alpha}. One that is smaller may be there and be missed.
      </p>
      {comparison.notes.length === 0 ? null : (
        <ul>
          {comparison.notes.map((note) => (
            <li key={note}>
              <DataText text={note} />
            </li>
          ))}
        </ul>
      )}
      {
        await byDataset(model.datasets, (figures, place) => {
          const compared = comparison.datasets.find(({ dataset }) => dataset === figures.dataset);
          return compared === undefined ? <p>Nothing was paired.</p> : differencesOf(model, figures, compared, place);
        })
      }
    </>
  );
}

async function differencesOf(
  model: ReportModel,
  figures: DatasetFigures,
  { contrasts, noise_floors: noise }: DatasetComparison,
  place: number,
): Promise<VNode> {
  const { primary } = model.matrix.analysis;
  const own = contrasts.filter(({ scorer }) => scorer === primary);
  const others = contrasts.filter(({ scorer }) => scorer !== primary);
  const band = noise.flatMap(({ half_width }) => half_width ?? []);
  const svg = await differencesChart(own, band.length === 0 ? null : Math.max(...band), primary, {
    name: `differences-${place + 1}`,
    title: `Paired differences in ${primary}`,
    description: 'A point a pair of arms, about a line of no difference, with its intervals.',
  });
  return (
    <>
      <ChartFigure
        svg={svg}
        caption={`Filled circle: planned before the run; hollow diamond: exploratory. Thick line: these conversations; thin: new ones; ticks: the smallest difference that this load finds for new conversations, of a planned pair by Holm’s strictest step.${band.length === 0 ? '' : ' Grey band: the noise floor, how far an arm is from itself.'}`}
      >
        <DifferencesTable caption={`Paired differences in ${primary}`} contrasts={own} />
      </ChartFigure>
      <DisagreementsTable model={model} figures={figures} contrasts={own} />
      <NoiseNote noise={noise} isKnown={model.result.arms.some(({ aa_of }) => aa_of !== null)} />
      <h4>What each pair shows</h4>
      <ul class="verdicts">
        {own.map((contrast) => (
          <li key={contrastName(contrast)}>
            {contrast.planned ? <strong>Planned. </strong> : <span class="muted">Exploratory. </span>}
            <DataText text={contrast.verdict.sentence} />
            <VerdictBasis basis={contrast.verdict.basis} />
          </li>
        ))}
      </ul>
      {others.length === 0 ? null : (
        <details>
          <summary>Differences in other scores: exploratory</summary>
          {sameDifferences(others).map(([scorer, ...same]) => (
            <DifferencesTable
              key={scorer}
              caption={`Paired differences in ${scorer}${same.length === 0 ? '' : `; those in ${listed(same)} are the same`}`}
              contrasts={others.filter((contrast) => contrast.scorer === scorer)}
            />
          ))}
        </details>
      )}
    </>
  );
}

/** How many questions only one of two arms is right about, with a way to them; nothing where right and wrong are not by the primary score. */
function DisagreementsTable({
  model,
  figures,
  contrasts,
}: {
  readonly model: ReportModel;
  readonly figures: DatasetFigures;
  readonly contrasts: readonly ContrastResult[];
}): VNode | null {
  const misses = model.result.arms[0]?.misses;
  if (misses === undefined || misses.scorer !== model.matrix.analysis.primary || contrasts.length === 0) return null;
  const sample = (model.result.lessons?.in_sample.length ?? 0) === 0 ? '' : 'out';
  const scores = (arm: string) => figures.arms.find((one) => one.arm === arm)?.paired ?? [];
  // The filters know of no dataset.
  const link = (count: number, right: string, wrong: string) =>
    count === 0 || model.datasets.length > 1 ? count : <a href={questionsLink({ right, wrong, sample })}>{count}</a>;
  return (
    <FigureTable
      caption={`Questions that one arm of a pair is right about and the other is wrong (${misses.scorer} ${misses.below} or more is right${sample === '' ? '' : '; in-sample questions left out'})`}
      head={['head − base', 'head right, base wrong', 'base right, head wrong']}
      rows={contrasts.map((contrast) => {
        const { head_arm, base_arm } = contrast;
        const { head, base } = disagreements(scores(head_arm), scores(base_arm), misses.below);
        return {
          name: contrastName(contrast),
          cells: [link(head, head_arm, base_arm), link(base, base_arm, head_arm)],
        };
      })}
    />
  );
}

function NoiseNote({ noise, isKnown }: { readonly noise: readonly NoiseFloor[]; readonly isKnown: boolean }): VNode {
  if (!isKnown)
    return (
      <p class="note">
        No arm was run twice, so that the noise floor is not known: <code>run --aa ARM</code> shows how far an arm is
        from itself.
      </p>
    );
  return (
    <ul>
      {noise.map((floor) => (
        <li key={floor.arm}>{noiseSentence(floor)}</li>
      ))}
    </ul>
  );
}

function noiseSentence({ arm, pairs, changed, these_conversations: found }: NoiseFloor): string {
  const of = counted(pairs, 'question');
  if (found.kind === 'no_pairs') return `Noise floor: ${arm} and its second run have no question in common.`;
  if (changed === 0) return `Noise floor: run twice, ${arm} scored all of ${of} the same: 0.`;
  const interval = found.kind === 'estimated' ? ` ${showDifferenceInterval(found)}, these conversations` : '';
  return `Noise floor: run twice, ${arm} scored ${changed} of ${of} otherwise, by ${showDifference(found.estimate)} in the mean${interval}. A difference within the band may be chance of the reader alone.`;
}

function DifferencesTable({
  caption,
  contrasts,
}: {
  readonly caption: string;
  readonly contrasts: readonly ContrastResult[];
}): VNode {
  const [first, ...others] = new Set(contrasts.map(({ pairs }) => pairs));
  const common = others.length === 0 ? first : undefined;
  return (
    <FigureTable
      caption={common === undefined ? caption : `${caption}: ${counted(common, 'question')} each`}
      head={[
        'head − base',
        'difference',
        'new conversations',
        'these conversations',
        'p',
        'adjusted p',
        'sign-flip p (smallest possible)',
        'smallest detectable',
        ...(common === undefined ? ['questions'] : []),
      ]}
      rows={contrasts.map((contrast) => ({
        name: (
          <>
            {contrastName(contrast)} <small>{contrast.planned ? 'planned' : 'exploratory'}</small>
          </>
        ),
        cells: [...cellsOf(contrast), ...(common === undefined ? [contrast.pairs] : [])],
      }))}
    />
  );
}

function cellsOf(contrast: ContrastResult): (string | number)[] {
  const { new_conversations: fresh, sign_flip: flip, smallest_detectable: smallest } = contrast;
  return [
    fresh.kind === 'no_pairs' ? '–' : showDifference(fresh.estimate),
    differenceInterval(fresh),
    differenceInterval(contrast.these_conversations),
    fresh.kind === 'estimated' ? showP(fresh.p) : '–',
    showP(contrast.adjusted_p),
    flip.kind === 'tested' ? `${showP(flip.p)} (${showP(flip.smallest_p)})` : '–',
    smallest.kind === 'estimated' ? showDifference(smallest.difference) : '–',
  ];
}

function differenceInterval(found: MeanDifference): string {
  return found.kind === 'estimated' ? showDifferenceInterval(found) : NO_INTERVAL[found.kind];
}

function showP(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
