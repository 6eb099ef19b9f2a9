import type { Digest } from '../core/digest.js';

/** What belongs into a bundle and is not in it. */
export interface BundleGap {
  readonly what: string;
  readonly why: string;
}

/** What `export --json` prints (RP-7). */
export interface BundleExport {
  readonly format: 'bundle-export@1';
  readonly run: string;
  /** The file that was written. */
  readonly path: string;
  readonly bytes: number;
  /** Of the file: what `sha256sum` prints. */
  readonly sha256: Digest;
  /** Of its `bundle.json`, which names every file: the same whatever compressed it. */
  readonly bundle: Digest;
  readonly files: number;
  readonly redacted: boolean;
  readonly missing: readonly BundleGap[];
  readonly changed: readonly string[];
}

/** One thing that was checked, and of how many. */
export interface BundleCheck {
  readonly what: string;
  readonly count: number;
}

/** What `verify-bundle --json` prints (RP-7): where anything is not as it should be, there is none (exit 2). */
export interface BundleVerification {
  readonly format: 'bundle-verification@1';
  readonly run: string;
  readonly matrix: Digest;
  readonly bundle: Digest;
  readonly sha256: Digest;
  readonly files: number;
  readonly bytes: number;
  readonly redacted: boolean;
  readonly checked: readonly BundleCheck[];
  readonly not_checked: readonly BundleGap[];
  readonly missing: readonly BundleGap[];
  readonly does_not_show: readonly string[];
  /** Where it was unpacked to; null where it was only looked at. */
  readonly extracted: string | null;
  /** The command that reproduces an arm of what was unpacked; null where nothing was, or it lacks what that takes. */
  readonly next: string | null;
}
