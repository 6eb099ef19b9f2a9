import type { VNode } from 'preact';
import { DataText } from './data-text.js';

/** What a verdict rests on, beneath its sentence: one small paragraph of short sentences. */
export function VerdictBasis({ basis }: { readonly basis: readonly string[] }): VNode | null {
  if (basis.length === 0) return null;
  return (
    <p class="note">
      <DataText text={basis.join(' ')} />
    </p>
  );
}
