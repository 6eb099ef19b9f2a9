import { type ErrorKind, EXIT_CODES, internalFault, kindOf, messageOf, RecallMatrixError } from '../../core/errors.js';

/** Every kind of error, for schemas. */
export const ERROR_KINDS = Object.keys(EXIT_CODES) as [ErrorKind, ...ErrorKind[]];

/** Where in asking a question something went wrong. */
export const CAUSE_STAGES = [
  'recall',
  'query',
  'context',
  'reader',
  'scoring',
  'budget',
  'database',
  'interrupted',
] as const;

/** Why a question has no answer (OB-4). */
export interface Cause {
  readonly stage: (typeof CAUSE_STAGES)[number];
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
  /** False where the provider, the budget or the database lost the row: it leaves every mean. */
  readonly own_making: boolean;
}

/** The cause that a thrown error makes. */
export function causeOf(error: unknown, stage: Cause['stage'], ownMaking = false): Cause {
  const known = error instanceof RecallMatrixError ? error : null;
  return {
    stage,
    kind: kindOf(error),
    code: known?.code ?? 'UNEXPECTED',
    message: messageOf(error),
    remedy: known?.remedy ?? null,
    own_making: ownMaking,
  };
}

/** The error that a row's cause was made from, as far as it is kept: a resumed run reports it as the first one did. */
export function errorOf({ kind, code, message, remedy }: Cause): RecallMatrixError {
  if (kind === 'internal') return internalFault(code, message, { remedy: remedy ?? undefined });
  return new RecallMatrixError({ kind, code, message, remedy: remedy ?? 'see the row that holds this cause' });
}
