import type { VNode } from 'preact';
import type { RunLimit } from '../../comparison/verdicts/run-limits.js';
import type { DatasetVerdict } from '../../comparison/verdicts/run-verdict.js';
import { DataText } from '../data-text.js';
import { Facts } from '../facts.js';
import type { ReportModel } from '../report-model.js';
import { VerdictBasis } from '../verdict-basis.js';

/** What the run says, in plain sentences: the best arm and how sure, what it costs, what could not be told, what is exploratory (RP-5). */
export function VerdictSection({ model: { verdict } }: { readonly model: ReportModel }): VNode {
  const { datasets, banks, limits, plan } = verdict;
  const grave = limits.filter(({ kind }) => GRAVE.includes(kind));
  const others = limits.filter((limit) => !grave.includes(limit));
  return (
    <>
      {grave.length === 0 ? null : (
        <div class="caution">
          <strong>Read with caution.</strong>
          <Limits limits={grave} />
        </div>
      )}
      {datasets.length < 2 ? null : (
        <p class="note">Datasets are never pooled: each of the {datasets.length} has a verdict of its own.</p>
      )}
      {datasets.map((verdictOf) => (
        <OfDataset verdict={verdictOf} isOnly={datasets.length === 1} key={verdictOf.dataset} />
      ))}
      {banks === null ? null : <p>{banks}</p>}
      <h3>Planned, and exploratory</h3>
      <p>
        <DataText text={plan} />
      </p>
      {others.length === 0 ? null : (
        <>
          <h3>What else weakens these conclusions</h3>
          <Limits limits={others} />
        </>
      )}
    </>
  );
}

/** What may change the verdict itself, and not only how far it reaches. */
const GRAVE: readonly RunLimit['kind'][] = ['incomplete', 'breached', 'arm-stopped', 'unpaired', 'degraded', 'lost'];

function Limits({ limits }: { readonly limits: readonly RunLimit[] }): VNode {
  return (
    <ul>
      {limits.map(({ sentence }) => (
        <li key={sentence}>
          <DataText text={sentence} />
        </li>
      ))}
    </ul>
  );
}

function OfDataset({ verdict, isOnly }: { readonly verdict: DatasetVerdict; readonly isOnly: boolean }): VNode {
  const { dataset, sentence, lead, open, basis, planned, loss, cost, scale } = verdict;
  const facts: readonly (readonly [string, string | null])[] = [
    ['How sure', basis],
    ['Ahead of the second', lead],
    ['Not told apart', open],
    ['Where it loses', loss],
    ['What it costs', cost.length === 0 ? null : cost.join(' ')],
    ['For scale', scale],
  ];
  return (
    <>
      {isOnly ? null : (
        <h3>
          <DataText text={dataset} />
        </h3>
      )}
      <p class="lead">
        <DataText text={sentence} />
      </p>
      {planned.length === 0 ? null : (
        <>
          <p>Of what was planned before the run:</p>
          <ul class="verdicts">
            {planned.map(({ sentence: said, basis: restsOn }) => (
              <li key={said}>
                <DataText text={said} />
                {restsOn.length === 0 ? null : (
                  <details>
                    <summary>What this rests on</summary>
                    <VerdictBasis basis={restsOn} />
                  </details>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <Facts facts={facts.map(([name, said]) => [name, said === null ? null : <DataText text={said} />])} />
    </>
  );
}
