/**
 * The only fields in which the files of a run that was stopped and resumed may differ from those of an uninterrupted one (OB-5), by file;
 * `[]` stands for every entry of a list, a point for a field within. docs/formats/run.md lists the same.
 */
export const RESUME_MAY_CHANGE = {
  /** A line of `arms/<arm>/<fixture>.observations.jsonl`. */
  observation: ['run', 'timings_ms'],
  /**
   * `run.json`. Money may differ, for a call that was settled without its row, or whose bill is not known, is asked again as a new send: what
   * it took stays booked.
   */
  manifest: [
    'run',
    'started_at',
    'finished_at',
    'sessions',
    'ledger',
    'arms[].actual_nano_usd',
    'arms[].uncertain_nano_usd',
    'formation[].embedding',
    'judging.actual_nano_usd',
    'judging.uncertain_nano_usd',
  ],
  /** `ledger.jsonl` differs line by line, for the same reason: the calls that it books are what is compared. */
  ledger: ['*'],
  /** `judgements.jsonl`: the order of the lines, which is that in which verdicts came. */
  judgements: ['(order)'],
  /** Files that a killed process may leave: they name it, and whoever comes next replaces them. */
  left: ['ledger.jsonl.writer', 'run.lock'],
} as const;
