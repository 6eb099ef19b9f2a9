import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeReplacing } from '../core/durable-files.js';
import { invalidInput, messageOf } from '../core/errors.js';
import { terminalText } from '../core/terminal-text.js';
import type { Comparison } from '../report/comparison/comparison.js';
import { type CliIo, say } from './io.js';

/** Files that a comparison is written to, as they were named. */
export interface ComparisonFiles {
  readonly csv?: string;
  readonly markdown?: string;
  readonly junit?: string;
}

/** Named by GitHub's runners: what is added to it shows on the page of the job. */
const STEP_SUMMARY = 'GITHUB_STEP_SUMMARY';

/** For others to read: a job uploads them under another user. */
const READABLE_MODE = 0o644;

/**
 * Writes a comparison in each form that was asked for (RP-4). The job's summary, which nobody asked for, is only warned of where it cannot be
 * written: a regression must not end as a refusal for it.
 *
 * @throws `OUTPUT_UNWRITABLE` (exit 2): a file that cannot be written.
 */
export async function writeComparison(io: CliIo, comparison: Comparison, files: ComparisonFiles): Promise<void> {
  const { comparisonCsv } = await import('../report/outputs/comparison-csv.js');
  const { comparisonJunit } = await import('../report/outputs/comparison-junit.js');
  const { comparisonMarkdown } = await import('../report/outputs/comparison-markdown.js');
  const forms = [
    ['csv', files.csv, comparisonCsv],
    ['markdown', files.markdown, comparisonMarkdown],
    ['junit', files.junit, comparisonJunit],
  ] as const;
  for (const [form, file, text] of forms) {
    if (file === undefined) continue;
    const bytes = await text(comparison);
    await orRefuse(`--${form}`, file, writeReplacing(resolve(io.workingFolder, file), bytes, READABLE_MODE));
    say(io, `wrote ${terminalText(resolve(io.workingFolder, file))}`);
  }
  const summary = io.environment[STEP_SUMMARY] || undefined;
  if (summary === undefined) return;
  await appendFile(summary, comparisonMarkdown(comparison)).catch((cause: unknown) =>
    say(
      io,
      `${terminalText(summary)}, which ${STEP_SUMMARY} names, cannot be written: ${terminalText(messageOf(cause))}`,
    ),
  );
}

async function orRefuse(by: string, file: string, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (cause) {
    throw invalidInput('OUTPUT_UNWRITABLE', `${file}, which ${by} names, cannot be written: ${messageOf(cause)}`, {
      remedy: 'name a file in a folder that exists and may be written to',
      cause,
    });
  }
}
