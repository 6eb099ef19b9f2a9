import type { Digest } from '../core/digest.js';
import { RecallMatrixError } from '../core/errors.js';

/** What a user's own module can stand in for (RT-6; docs/modules.md). */
export type ModuleKind = 'strategy' | 'scorer' | 'policy';

/** A user's own module, found. */
export interface UserModule {
  readonly kind: ModuleKind;
  /** As the matrix names it: what errors say. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  /** Over the file and what it imports by relative paths. */
  readonly digest: Digest;
}

/** An export as far as it is data: text and numbers with their values, anything else by its type alone. */
export interface ModuleExport {
  readonly type: string;
  readonly value: string | number | null;
}

/** The named exports of a loaded module. */
export type ModuleExports = { readonly [name: string]: ModuleExport };

/** A module that is called, one call at a time. */
export interface CallableModule {
  readonly module: UserModule;
  /**
   * @param what names the occasion in an error, e.g. `the question q1`.
   * @returns what the exported function gave: data, whose form is still to be checked.
   * @throws kind `provider`: `MODULE_THREW`, `MODULE_TIMED_OUT`, `MODULE_DIED`, `MODULE_UNSOUND`; kind `invalid-input`: `MODULE_CHANGED`. The module and the
   * occasion are named; the next call finds it started anew.
   */
  call(name: string, args: readonly unknown[], what: string): Promise<unknown>;
}

/** A failure of a user's module: of what asked it alone, never of the run (RT-6). */
export function moduleFailure(
  code: 'THREW' | 'TIMED_OUT' | 'DIED' | 'UNSOUND' | 'CHANGED',
  { path, kind }: Pick<UserModule, 'path' | 'kind'>,
  what: string,
  how: string,
): RecallMatrixError {
  return new RecallMatrixError({
    // A module that was replaced is not the arm's: what it would have given counts neither way.
    kind: code === 'CHANGED' ? 'invalid-input' : 'provider',
    code: `MODULE_${code}`,
    message: `the ${kind} module ${path}, for ${what}: ${how}`,
    remedy: 'mend the module; docs/modules.md says what it is given and may return',
  });
}

/** Whether a user's module failed, or was replaced. */
export function isModuleFailure(error: unknown): boolean {
  return error instanceof RecallMatrixError && /^MODULE_(?:THREW|TIMED_OUT|DIED|UNSOUND|CHANGED)$/.test(error.code);
}
