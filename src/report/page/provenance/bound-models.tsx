import type { ComponentChildren, VNode } from 'preact';
import type { ModelChoice } from '../../../matrix/matrix.js';
import { DataText } from '../data-text.js';
import { DigestText } from '../digest.js';
import { Facts } from '../facts.js';
import type { ReportModel } from '../report-model.js';

/** The models that were asked, their parameters and prompts, and the names that they reported (PR-4). */
export function BoundModels({ model }: { readonly model: ReportModel }): VNode {
  const { matrix, result } = model;
  const { formation, query_preparation: preparation } = matrix;
  const reported = (parts: readonly { readonly reported_models: readonly string[] }[]): ComponentChildren => {
    const names = [...new Set(parts.flatMap(({ reported_models }) => reported_models))];
    return names.length === 0 ? 'none reported' : <DataText text={names.join(', ')} />;
  };
  return (
    <>
      <h3>Models and prompts</h3>
      {formation === null ? null : (
        <Facts
          facts={[
            ['formation', choice(formation.profile)],
            ['policy', <DataText text={`${formation.policy}, ${formation.persistence}`} />],
            ['reported', reported(result.formation)],
          ]}
        />
      )}
      <Facts
        facts={[
          ['reader', choice(matrix.reader)],
          ['prompt', prompt(matrix.reader.prompt)],
          ['reported', reported(result.arms)],
        ]}
      />
      {preparation === null || preparation === 'off' ? null : (
        <Facts
          facts={[
            ['embedding', <DataText text={`${preparation.embedding.model} by ${preparation.embedding.provider}`} />],
          ]}
        />
      )}
      {Object.entries(matrix.judges).map(([name, judge]) => (
        <Facts
          key={name}
          facts={[
            ['judge', <DataText text={name} />],
            ['model', choice(judge)],
            ['prompt', prompt(judge.prompt)],
            ['labels', judge.labels === null ? null : <DigestText digest={judge.labels.digest} />],
            ['reported', reported((result.judging?.judges ?? []).filter((one) => one.judge === name))],
          ]}
        />
      ))}
      {result.model_changes.map(({ stage, requested, reported: names }) => (
        <p class="caution" key={stage}>
          The {stage} model <DataText text={requested} /> reported several names within the run:{' '}
          <DataText text={names.join(', ')} />.
        </p>
      ))}
    </>
  );
}

function choice({ provider, model, parameters }: ModelChoice): VNode {
  const set = Object.entries(parameters).flatMap(([name, value]) => (value == null ? [] : [`${name} ${value}`]));
  return <DataText text={`${model} by ${provider}: ${set.join(', ')}`} />;
}

function prompt({ name, digest }: { readonly name: string; readonly digest: string }): VNode {
  return (
    <>
      <DataText text={name} /> <DigestText digest={digest} />
    </>
  );
}
