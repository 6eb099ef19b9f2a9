import type { VNode } from 'preact';
import { isWhollyAsked } from '../comparison/ranked-arms.js';
import type { ReportModel } from './report-model.js';

/** An arm's name with what marks it: in words, never by colour alone. */
export function ArmName({ model, arm }: { readonly model: ReportModel; readonly arm: string }): VNode {
  const fact = model.result.arms.find((one) => one.arm === arm);
  const marks = [
    ...(fact?.reference ? [fact.oracle ? 'reference, oracle' : 'reference'] : []),
    ...(fact?.aa_of == null ? [] : [`${fact.aa_of} once more`]),
    ...(fact?.degraded ? ['degraded'] : []),
    ...(fact === undefined || isWhollyAsked(fact) ? [] : [fact.status]),
    ...(fact?.parity === 'unpaired' ? ['unpaired'] : []),
  ];
  return (
    <>
      {arm}
      {marks.length === 0 ? null : <small> {marks.join(', ')}</small>}
    </>
  );
}
