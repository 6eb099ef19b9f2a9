import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { renderToString } from 'preact-render-to-string';
import { writeReplacing } from '../../core/durable-files.js';
import { invalidInput, messageOf, RecallMatrixError } from '../../core/errors.js';
import type { LessonBook } from '../../experiment/experiment.js';
import type { RunRecord } from '../../experiment/run-record.js';
import { DocumentBody, DocumentHead } from './document.js';
import { Masthead } from './masthead.js';
import { pageAsset } from './page-asset.js';
import { questionBlocks } from './questions/question-blocks.js';
import { QuestionsSection } from './questions/questions-section.js';
import { reportModel } from './report-model.js';
import { pageSections } from './sections/sections.js';
import { visibleText } from './visible-text.js';

/**
 * Writes a run's report: one HTML file that opens from disk and fetches nothing (RP-5). Private, and whole or not at all. Rows are read three
 * times, for figures, pairs and questions, a fixture's at a time: its size on the disk is not what it takes of memory (PF-5).
 *
 * @param book by which the run's lessons are read; without it they are named by their ids alone.
 * @returns its bytes.
 * @throws exit 2: `REPORT_NOT_WRITABLE`; what reading the run throws. A report that was there is as it was.
 */
export async function writeReport(
  record: RunRecord,
  path: string,
  book: Pick<LessonBook, 'restore'> | null = null,
): Promise<number> {
  try {
    await writeReplacing(path, reportPieces(record, book));
    return (await stat(path)).size;
  } catch (cause) {
    if (cause instanceof RecallMatrixError || (cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw invalidInput('REPORT_NOT_WRITABLE', `cannot write the report ${path}: ${messageOf(cause)}`, {
      remedy: 'name a file that you may write with --file, on a disk with room for it',
      cause,
    });
  }
}

/** The report's text, in pieces. */
export async function* reportPieces(
  record: RunRecord,
  book: Pick<LessonBook, 'restore'> | null = null,
): AsyncGenerator<string> {
  const script = pageAsset('client.js');
  const script_hash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
  const title = `${record.manifest.matrix.name}: report of ${record.run}`;
  const sections = [
    ...(await pageSections(await reportModel(record))),
    { id: 'questions', title: 'Every question', content: <QuestionsSection /> },
  ];
  yield '<!doctype html>\n<html lang="en">';
  yield renderToString(<DocumentHead title={title} style={pageAsset('style.css')} script_hash={script_hash} />);
  yield '<body>';
  // Whatever reached the markup, in charts and labels too, by whatever way: nothing in it hides or reorders (RS-4).
  yield visibleText(renderToString(<DocumentBody masthead={<Masthead record={record} />} sections={sections} />));
  yield* questionBlocks(record, book);
  yield `<script>${script}</script></body></html>\n`;
}
