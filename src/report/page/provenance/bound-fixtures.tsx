import type { ComponentChildren, VNode } from 'preact';
import { counted } from '../../../core/counted.js';
import type { FormationResult } from '../../../experiment/experiment.js';
import type { RunManifest } from '../../../experiment/run-record.js';
import { DataText } from '../data-text.js';
import { DigestText } from '../digest.js';
import { Facts } from '../facts.js';

const REVIEWS: Readonly<Record<string, string>> = {
  reviewed: 'reviewed by a person',
  unreviewed: 'not reviewed by a person',
  'changed-since-review': 'changed since a person reviewed it',
};

/** So many are shown open; more are folded each by itself. */
const SHOWN_OPEN = 3;

/** What each conversation's rows rest on: history, questions, labels, banks, states, and whether a person reviewed it (FX-6). */
export function BoundFixtures({
  manifest,
  formation,
}: {
  readonly manifest: RunManifest;
  readonly formation: readonly FormationResult[];
}): VNode {
  const { fixtures } = manifest;
  return (
    <>
      <h3>Conversations</h3>
      {fixtures.map((fixture) => (
        <details key={fixture.id} open={fixtures.length <= SHOWN_OPEN}>
          <summary>
            <DataText text={fixture.id} />: {counted(fixture.questions, 'question')}, {REVIEWS[fixture.review]}
          </summary>
          <Facts
            facts={[
              ['dataset', <DataText text={fixture.dataset ?? 'not stated'} />],
              ['history (corpus)', <DigestText digest={fixture.corpus} />],
              ['questions (load)', <DigestText digest={fixture.load} />],
              ['labels', <DigestText digest={fixture.labels} />],
              ...formation.filter((one) => one.fixture === fixture.id).flatMap(formedFrom),
            ]}
          />
        </details>
      ))}
    </>
  );
}

function formedFrom(formed: FormationResult): (readonly [string, ComponentChildren])[] {
  const of = (what: string): string => (formed.replicate === 1 ? what : `${what}, replicate ${formed.replicate}`);
  return [
    [of('bank'), formed.bank === null ? 'none' : <DigestText digest={formed.bank} />],
    [of('state'), <DigestText digest={formed.state} />],
    ...formed.vectors.map(
      ({ unit, vector_bank }) =>
        [
          of(`vectors of ${unit}`),
          vector_bank === null ? 'in no bank: embedded for this run' : <DigestText digest={vector_bank} />,
        ] as const,
    ),
    ...(formed.live_states ?? []).map(
      ({ arm, state, differs_from }) =>
        [
          of(`state of ${arm}`),
          <>
            <DigestText digest={state} />
            {differs_from === null ? '' : ` (another than ${differs_from}'s)`}
          </>,
        ] as const,
    ),
  ];
}
