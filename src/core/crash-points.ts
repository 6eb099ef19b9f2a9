import { writeSync } from 'node:fs';

/**
 * The commit boundaries of a run at which a test can have the process killed (RS-1). Everything before a point is durable, or sent, as its
 * name says; nothing after it has begun.
 */
export const CRASH_POINTS = [
  'reservation-committed',
  'send-started',
  'response-received',
  'settlement-committed',
  'row-committed',
  'cell-finalised',
  'manifest-written',
] as const;

/** The same of an embedding send, which is told to two ledgers (SQ-13): between the commits of one and of the other. */
export const EMBEDDING_CRASH_POINTS = [
  'matrix-reservation-committed',
  'owner-refused',
  'owner-resolution-committed',
] as const;

/** A named commit boundary. */
export type CrashPoint = (typeof CRASH_POINTS | typeof EMBEDDING_CRASH_POINTS)[number];

/** The variable that arms a point in the built command, `<point>:<occurrence from 1>`. For tests: nothing else sets it. */
export const CRASH_VARIABLE = 'RECALL_MATRIX_TEST_CRASH_AT';

let armed: { readonly point: CrashPoint; left: number } | null = null;

/**
 * Arms the process to die at a point. What does not name one is ignored: the variable is no part of the command line.
 *
 * @param request `row-committed:3` dies when the third row is durable.
 */
export function armCrashPoint(request: string | undefined): void {
  const [, name, occurrence] = /^([a-z-]+):(\d+)$/.exec(request ?? '') ?? [];
  const point = [...CRASH_POINTS, ...EMBEDDING_CRASH_POINTS].find((known) => known === name);
  armed = point === undefined ? null : { point, left: Number(occurrence) };
}

/** Marks a commit boundary. Where it is armed, says on standard error that it was reached, and dies as by `kill -9`. */
export function crashPoint(point: CrashPoint): void {
  if (armed === null || armed.point !== point) return;
  armed.left -= 1;
  if (armed.left > 0) return;
  writeSync(2, `REACHED ${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}
