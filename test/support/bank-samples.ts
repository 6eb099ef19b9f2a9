import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Recording } from '../../src/bank/recording.js';
import { openRecording } from '../../src/bank/recording-provider.js';
import { internalFault } from '../../src/core/errors.js';
import { readJournal } from '../../src/core/journal.js';
import type { ProcessTable } from '../../src/core/process-mark.js';
import type { Completion, CompletionProvider } from '../../src/provider/completion.js';
import { sampleRecording } from './sample-formation.js';

export * from './sample-formation.js';

/** A folder of the test's own, removed when it ends. */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'bank-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Starts a recording of the sample fixture; it is closed when the test ends. */
export async function startSample(
  folder: string,
  inner: CompletionProvider,
  processes?: ProcessTable,
): Promise<Recording> {
  const recording = await openRecording(sampleRecording(folder, inner), processes);
  onTestFinished(() => recording.interrupt('the test ended'));
  return recording;
}

/** Answers with each item in turn; an error is thrown. */
export function scripted(...answers: (Completion | Error)[]): CompletionProvider & { sends: number } {
  return {
    sends: 0,
    async complete() {
      const answer = answers[this.sends];
      this.sends += 1;
      if (answer === undefined) throw internalFault('TEST_SCRIPT_ENDED', 'no answer left');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

/** The kinds of a recording's journalled lines, in order. */
export async function kindsIn(path: string): Promise<unknown[]> {
  return (await readJournal(path)).entries.map((entry) => (entry as { kind: string }).kind);
}
