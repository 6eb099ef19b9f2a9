import type { ComponentChildren, VNode } from 'preact';

/** Labels and values. A value that is null is left out. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [label: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class="facts">
      {facts.flatMap(([label, value]) =>
        value === null ? [] : [<dt key={`${label} label`}>{label}</dt>, <dd key={label}>{value}</dd>],
      )}
    </dl>
  );
}
