import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { type CliIo, print, printJson } from '../io.js';

interface ReportFlags {
  readonly out: string;
  readonly file?: string;
  readonly json?: boolean;
}

/** `report`: a run as one HTML file that opens from disk (RP-5). */
export function reportVerb(io: CliIo): Command {
  return new Command('report')
    .description(
      'Write a run as one HTML file: what was found, what it cost, and every question with what was retrieved and why it failed. It opens from disk and fetches nothing. Sends nothing.',
    )
    .argument('[run]', 'a run id under --out, `latest`, or a run folder (default: latest)')
    .option('--out <folder>', 'where run folders lie', './runs')
    .option('--file <file>', 'where to write it (default: report.html in the run folder)')
    .option('--json', 'print one JSON document: the run, its status, and where the file is')
    .addHelpText(
      'after',
      '\nExamples:\n  $ recall-matrix report\n  $ recall-matrix report latest --file my-report.html\n  $ recall-matrix report runs/my-run --json',
    )
    .action(async (run: string | undefined, flags: ReportFlags) => {
      const { findRun } = await import('../../experiment/find-run.js');
      const { openRunRecord } = await import('../../experiment/reading/open-run-record.js');
      const { lessonBook } = await import('../../lessons/injection/lesson-book.js');
      const { writeReport } = await import('../../report/page/write-report.js');
      const record = await openRunRecord(await findRun(resolve(io.workingFolder, flags.out), run ?? 'latest', 'run@1'));
      const path = flags.file === undefined ? join(record.path, 'report.html') : resolve(io.workingFolder, flags.file);
      const bytes = await writeReport(record, path, lessonBook(record.path, false));
      const { status } = record.result;
      if (flags.json) printJson(io, { format: 'report@1', run: record.run, status, path, bytes });
      else print(io, status === 'complete' ? path : `${path} (the run is ${status}; the report says so)`);
    });
}
