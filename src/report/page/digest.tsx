import type { VNode } from 'preact';
import { visibleText } from './visible-text.js';

/** A digest, whole: it wraps on a narrow screen, and one click selects all of it. */
export function DigestText({ digest }: { readonly digest: string | null | undefined }): VNode {
  return digest == null ? <>–</> : <code class="digest">{visibleText(digest)}</code>;
}
