/** What went wrong, in the order in which several outcomes of one invocation are reported (CL-2). */
export type ErrorKind =
  | 'internal'
  | 'invalid-input'
  | 'difference'
  | 'budget'
  | 'bank'
  | 'parity'
  | 'provider'
  | 'database'
  | 'interrupted';

/** The one table of exit codes (CL-2). */
export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  'invalid-input': 2,
  difference: 3,
  budget: 4,
  bank: 5,
  parity: 6,
  provider: 7,
  database: 8,
  interrupted: 130,
};

const PRECEDENCE: readonly ErrorKind[] = [
  'internal',
  'invalid-input',
  'interrupted',
  'bank',
  'parity',
  'budget',
  'provider',
  'database',
  'difference',
];

/** Where in a file a fault lies. Lines and columns count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** The kinds that a user can do something about: all but a fault of this program. */
export type UserErrorKind = Exclude<ErrorKind, 'internal'>;

interface CommonParts {
  /** Stable, in capitals: scripts may match it. */
  readonly code: string;
  /** What happened and where. Hostile text in it is escaped when it is printed, not here. */
  readonly message: string;
  readonly location?: SourceLocation | undefined;
  readonly cause?: unknown;
  /** Machine-readable facts (a bank's digest, a record's id); never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** What an error that a user can meet is made from: it says what to do about it. */
export interface UserErrorParts extends CommonParts {
  readonly kind: UserErrorKind;
  /** What the user can do about it. */
  readonly remedy: string;
}

/** What a fault of this program is made from: there may be nothing that a user can do. */
export interface InternalErrorParts extends CommonParts {
  readonly kind: 'internal';
  readonly remedy?: string | undefined;
}

/** What a coded error is made from. */
export type ErrorParts = UserErrorParts | InternalErrorParts;

/** The base of every error that this project throws on purpose. */
export class RecallMatrixError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly remedy: string | undefined;
  readonly location: SourceLocation | undefined;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  readonly #parts: ErrorParts;

  constructor(parts: ErrorParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'RecallMatrixError';
    this.kind = parts.kind;
    this.code = parts.code;
    this.remedy = parts.remedy;
    this.location = parts.location;
    this.details = parts.details ?? {};
    this.#parts = parts;
  }

  /** The same fault, said of another place: of the line that named the file which is at fault. */
  at(location: SourceLocation): RecallMatrixError {
    return new RecallMatrixError({ ...this.#parts, location });
  }

  /** The exit code of a process that ends with this error alone. */
  get exitCode(): number {
    return EXIT_CODES[this.kind];
  }
}

/** Several faults of one input, reported together (MX-2). At least one. */
export class InvalidInputErrors extends RecallMatrixError {
  readonly errors: readonly RecallMatrixError[];

  constructor(errors: readonly RecallMatrixError[]) {
    super({
      kind: 'invalid-input',
      code: 'INVALID_INPUT',
      message: errors.length === 1 ? (errors[0]?.message ?? 'invalid input') : `${errors.length} faults`,
      remedy: 'mend each of the faults',
    });
    this.errors = errors;
  }
}

type Extra<Parts> = Omit<Parts, 'kind' | 'code' | 'message'>;
const maker =
  (kind: UserErrorKind) =>
  (code: string, message: string, extra: Extra<UserErrorParts>): RecallMatrixError =>
    new RecallMatrixError({ kind, code, message, ...extra });

/** A fault of this program: a broken invariant (exit 1). */
export const internalFault = (
  code: string,
  message: string,
  extra: Extra<InternalErrorParts> = {},
): RecallMatrixError => new RecallMatrixError({ kind: 'internal', code, message, ...extra });
/** Wrong or missing input (exit 2). */
export const invalidInput = maker('invalid-input');
/** The budget refused a call (exit 4). */
export const budgetRefused = maker('budget');
/** A bank, or its recording, is refused (exit 5). */
export const bankRefused = maker('bank');
/** A belief state differs (exit 6). */
export const parityRefused = maker('parity');
/** A database is unavailable, of a wrong version or without rights (exit 8). */
export const databaseUnavailable = maker('database');
/** The user interrupted (exit 130). What can be continued names its own command as well (CL-3). */
export const interrupted = (
  message: string,
  remedy = 'give the command again; where a command to continue is named, that one',
): RecallMatrixError => new RecallMatrixError({ kind: 'interrupted', code: 'INTERRUPTED', message, remedy });

/** The kind that a process with several outcomes reports: the first in CL-2's order; null where there is none. */
export function firstKind(kinds: Iterable<ErrorKind>): ErrorKind | null {
  const seen = new Set(kinds);
  return PRECEDENCE.find((kind) => seen.has(kind)) ?? null;
}

/** The kind of anything thrown: what is not ours is a fault of this program. */
export function kindOf(error: unknown): ErrorKind {
  return error instanceof RecallMatrixError ? error.kind : 'internal';
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
