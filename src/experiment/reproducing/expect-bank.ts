import { writeReplacing } from '../../core/durable-files.js';
import { type ErrorKind, invalidInput } from '../../core/errors.js';
import type { RunOptions } from '../open-session.js';
import type { BankExpected } from '../reproduction-document.js';
import { expectationOf, expectationPath, expectationText } from './expectation.js';
import { boundBank } from './narrowed-run.js';
import { NOT_REPLAYED } from './replayed-reader.js';
import { hasLocalReader, quietRun } from './reproduce.js';

/**
 * Runs every arm of a matrix over one bank, and writes down by digest what each retrieves and is shown, beside the bank (RP-1): what
 * `reproduce` compares with where no run is given. Sends nothing; one that is there already is replaced. Left out are an arm whose
 * remote reader searches, for what it finds cannot be known without asking, and one that injects lessons, for no log says the same for ever.
 *
 * @throws what `boundBank` throws; exit 2 `NOTHING_SELECTED`, `NOTHING_EXPECTED`; what kept an arm from a context (`problems` of its run).
 */
export async function expectBank(
  digest: string,
  options: RunOptions,
): Promise<{ readonly result: BankExpected; readonly kinds: readonly ErrorKind[] }> {
  const bound = await boundBank(options.matrixPath, options.overrides, digest);
  const { one, file } = bound;
  const { matrix } = one.loaded;
  if (one.selected.length === 0) {
    throw invalidInput('NOTHING_SELECTED', `the load selects no question of ${one.fixture.manifest.id}`, {
      remedy: 'widen `load.questions` or `load.categories`',
    });
  }
  const load = { ids: one.selected, repeats: matrix.load.repeats };
  const readsHere = hasLocalReader(one.loaded);
  const arms = matrix.arms.filter(
    ({ recall, context, aa_of }) =>
      aa_of === undefined && context === undefined && (readsHere || recall !== 'deliberate'),
  );
  const leftOut = matrix.arms.filter((arm) => arm.aa_of === undefined && !arms.includes(arm)).map(({ name }) => name);
  if (arms.length === 0) throw nothingExpected(leftOut);
  // A reader's answers bind nothing here, unless they are searches.
  const answered = arms.some(({ recall }) => recall === 'deliberate') ? null : [];
  const {
    result: run,
    rows,
    server,
  } = await quietRun(options, bound, arms, load, { answered, queries: null, lessons: null });
  const path = expectationPath(file.path);
  const problems = run.problems.filter(({ code }) => code !== NOT_REPLAYED);
  const result = {
    format: 'bank-expected@1',
    bank: file.bank.digest,
    path,
    arms: arms.length,
    left_out: leftOut,
  } as const;
  if (problems.length === 0) {
    await writeReplacing(path, expectationText(expectationOf(file.bank.digest, { ...matrix, arms }, rows, server)));
  }
  const kinds = problems.map(({ kind }) => kind as ErrorKind);
  return { result: { ...result, questions: load.ids.length, problems }, kinds };
}

function nothingExpected(arms: readonly string[]): Error {
  return invalidInput(
    'NOTHING_EXPECTED',
    `of every arm (${arms.join(', ')}) the reader is remote and searches itself, or lessons are injected`,
    {
      remedy: 'add an arm whose recall is automatic, and without lessons, or reproduce these against a run',
    },
  );
}
