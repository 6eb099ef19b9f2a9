import type { ComponentChildren, VNode } from 'preact';

/** What may be wider than the page, and then scrolls on its own, by keyboard too. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls what can be focused.
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
