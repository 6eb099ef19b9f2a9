import { canonicalJson } from '../../core/canonical-json.js';
import type { Digest } from '../../core/digest.js';
import { bankRefused, InvalidInputErrors, invalidInput, type RecallMatrixError } from '../../core/errors.js';
import { loadDigest } from '../../fixture/digests.js';
import type { FixtureOutline } from '../../fixture/fixture.js';
import { labelDigest } from '../../fixture/label-digest.js';
import type { Question } from '../../fixture/question.js';
import { blockName, blockTitle } from '../block-id.js';
import { type BankPlan, blockOf } from '../formation/formation-bank.js';
import { programDigest } from '../program-digest.js';
import { packageDifferences, programPackages } from '../program-packages.js';
import type { RunManifest } from '../run-manifest.js';
import { lastScoring } from '../scored-by.js';

type FixtureFacts = RunManifest['fixtures'][number];

/** What a run's rows rest on, of one fixture: bound in the manifest, and found equal before the run goes on. */
export function fixtureFacts(fixture: FixtureOutline, ids: readonly string[], repeats: number): FixtureFacts {
  const { id, owner, source } = fixture.manifest;
  const asked = ids.map((one) => fixture.questions.find((question) => question.id === one) as Question);
  return {
    id,
    dataset: source,
    corpus: fixture.corpus,
    owner: { tenant: owner.tenant, principal: owner.principal },
    load: loadDigest(asked, repeats),
    labels: labelDigest(fixture.labels, ids),
    questions: ids.length,
    review: fixture.review_state,
  };
}

/** Refuses a run that another program began: its rows and new ones would not be of one make (exit 2). */
export function refuseChangedProgram({ tool, run, sessions }: RunManifest, implementation: Digest): void {
  const changed = [
    ...(tool.implementation === implementation ? [] : ['formation']),
    ...(tool.program === programDigest() ? [] : ['what asks and scores']),
    ...((lastScoring(sessions)?.program ?? programDigest()) === programDigest() ? [] : ['what scored its rows again']),
    ...(tool.packages === undefined ? [] : packageDifferences(tool.packages, programPackages())),
  ];
  if (changed.length === 0) return;
  throw invalidInput('RUN_PROGRAM_CHANGED', `${run} was begun by another program: ${changed.join(' and ')} changed`, {
    remedy: `continue it with version ${tool.version} and its packages as they were then (npm ci), or start a new run`,
  });
}

/** Refuses a run whose fixtures are no longer what its rows were read from: every difference is named (exit 2). */
export function refuseChangedFixtures(before: RunManifest['fixtures'], after: readonly FixtureFacts[]): void {
  const found = new Map(after.map((facts) => [facts.id, facts]));
  const faults = before.flatMap((facts) => differences(facts, found.get(facts.id)));
  faults.push(
    ...after.filter(({ id }) => !before.some((one) => one.id === id)).map(({ id }) => changedFixture(id, 'is new')),
  );
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}

function differences(before: FixtureFacts, after: FixtureFacts | undefined): RecallMatrixError[] {
  if (after === undefined) return [changedFixture(before.id, 'is gone')];
  return [
    ...(before.corpus === after.corpus ? [] : [changedFixture(before.id, 'has another history (corpus)')]),
    ...(canonicalJson(before.owner) === canonicalJson(after.owner)
      ? []
      : [changedFixture(before.id, 'has another owner')]),
    ...(before.load === after.load
      ? []
      : [changedFixture(before.id, 'has other questions, or other times of them (load)')]),
    ...(before.labels === after.labels
      ? []
      : [changedFixture(before.id, 'has other expected answers or evidence (labels)')]),
  ];
}

/** The refusal of a fixture that is no longer what a run's rows were read from (exit 2). */
export function changedFixture(fixture: string, how: string): RecallMatrixError {
  return invalidInput('RUN_FIXTURE_CHANGED', `the fixture ${fixture} ${how} since the run began`, {
    remedy: 'restore the fixture, or start a new run',
  });
}

/** Refuses a run whose banks are no longer those that it was formed from, before one is recorded in their place (exit 5). */
export function refuseChangedBanks(before: RunManifest['banks'], plans: readonly BankPlan[]): void {
  for (const { bank, ...block } of before) {
    if (bank === null) continue;
    const plan = plans.find((one) => blockName(blockOf(one)) === blockName(block));
    const found = plan?.found?.bank.digest ?? null;
    if (found === bank) continue;
    throw bankRefused(
      'RUN_BANK_CHANGED',
      `${blockTitle(block)} was formed from the bank ${bank}, and now ${found === null ? 'there is none' : `${found} is there`}`,
      { remedy: 'put the bank back into its folder, or start a new run' },
    );
  }
}
