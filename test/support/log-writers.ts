import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts a process that adds evaluation events of the days named to a log, one after another, once it is released, and
 * tells each day that is durable.
 *
 * @param program the bundled `log-writer-child`.
 */
export function startLogWriter(
  program: string,
  folder: string,
  days: { readonly from: number; readonly to: number },
): ChildProcess {
  const task = JSON.stringify({ folder, ...days });
  return spawn(process.execPath, [program, task], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Lets writers begin at once, when each of them is ready to. */
export async function releaseTogether(writers: readonly ChildProcess[]): Promise<void> {
  await Promise.all(writers.map((writer) => once(writer.stdout as NodeJS.ReadableStream, 'readable')));
  for (const writer of writers) writer.stdin?.end();
}

/** The first line that a process says which is the one awaited. */
export async function untilLine(child: ChildProcess, isAwaited: (line: string) => boolean): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    if (isAwaited(line)) return line;
  throw new Error('the process ended before it said so');
}

/** Waits for a process to end. @returns its exit code; null where it was killed. */
export async function finish(child: ChildProcess): Promise<number | null> {
  child.stdout?.resume();
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}
