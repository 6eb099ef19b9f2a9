import pLimit from 'p-limit';
import { messageOf, RecallMatrixError } from '../../core/errors.js';
import type { Fixture, FixtureOutline } from '../../fixture/fixture.js';
import { majorityOf } from '../../scoring/judge/judge.js';
import { judgedByRule } from '../../scoring/judge/judge-rule.js';
import { judgeOf } from '../../scoring/scoring.js';
import { armOrderAt } from '../arm-order.js';
import type { Observation } from '../asking/observation.js';
import { blockName } from '../block-id.js';
import type { BudgetGate } from '../budget-gate.js';
import type { RunFolder } from '../run-folder.js';
import { type SendingSession, tell } from '../session.js';
import { jsonAmount, sumKnown } from '../summary/amounts.js';
import { type Asking, askingOf, askVerdict } from './ask-verdict.js';
import type { JudgeLabels } from './judge-labels.js';
import { JudgementFile, type KeptVerdict } from './judgement-file.js';

type Judgement = Observation['judgements'][string];
type Cause = NonNullable<Judgement['cause']>;

/**
 * The judges of a run (OB-7). A block's answers are judged when all of them are read, so that a budget stop meets all arms alike; equal items are asked
 * about once a run, whichever arm, question or repeat they come from; and a verdict is durable before a row is finalised with it,
 * so that a resumed run asks for none again.
 */
export class Judging {
  /** Those that a scorer asks, in the order of the scorers; none where no scorer is a judge. */
  readonly judges: readonly string[];
  readonly #errors: unknown[] = [];
  readonly #causes = new Map<string, Cause>();

  #file: JudgementFile | null = null;

  constructor(
    private readonly session: SendingSession,
    private readonly folder: RunFolder,
    private readonly gate: BudgetGate,
    readonly labels: ReadonlyMap<string, JudgeLabels>,
  ) {
    this.judges = session.loaded.matrix.scoring.map(judgeOf).filter((judge) => judge !== null);
  }

  /** The verdicts so far. */
  async file(): Promise<JudgementFile> {
    this.#file ??= await JudgementFile.read(this.folder.judgementsPath);
    return this.#file;
  }

  /**
   * Judges the answers of a block's rows: in load order, and for each question the arms in their seeded order (MX-9); then those that people
   * labelled.
   *
   * @returns what lays the verdicts on a row of the block. A row without a verdict has a null score and the cause.
   * @throws what keeps a verdict from being kept. What goes wrong with a judge is a cause, and in `takeErrors`.
   */
  async judgeBlock(fixture: Fixture, rows: readonly Observation[]): Promise<(row: Observation) => Observation> {
    if (this.judges.length === 0) return (row) => row;
    const file = await this.file();
    await this.#askAll(file, fixture, this.#missing(file, this.#askingsOf(fixture, rows)));
    return (row) => this.#lay(file, fixture, row);
  }

  /** The judges that `judgeBlock` would ask, one entry a call: of what has its verdicts none. */
  async callsFor(fixture: FixtureOutline, rows: readonly Observation[]): Promise<readonly string[]> {
    if (this.judges.length === 0) return [];
    const missing = this.#missing(await this.file(), this.#askingsOf(fixture, rows));
    return missing.map(({ asking }) => asking.judge);
  }

  /** Whether a judge holds a labelled answer to be correct; null where it gave no verdict. */
  verdictOn(
    file: JudgementFile,
    fixture: FixtureOutline,
    judge: string,
    question: string,
    answer: string,
  ): boolean | null {
    const verdicts = allVerdicts(file, askingOf(this.session, fixture, judge, question, answer));
    return verdicts === null ? null : majorityOf(verdicts).correct;
  }

  /** What went wrong since this was last asked. */
  takeErrors(): unknown[] {
    return this.#errors.splice(0);
  }

  #askingsOf(fixture: FixtureOutline, rows: readonly Observation[]): Asking[] {
    const ofRows = this.#inOrder(rows).flatMap((row) =>
      this.judges.flatMap((judge) => this.#askingOf(fixture, judge, row) ?? []),
    );
    return [...ofRows, ...this.#ofLabels(fixture)];
  }

  #ofLabels(fixture: FixtureOutline): Asking[] {
    return this.judges.flatMap((judge) =>
      (this.labels.get(judge)?.answers ?? [])
        .filter((labelled) => labelled.fixture === fixture.manifest.id)
        .map(({ question, answer }) => askingOf(this.session, fixture, judge, question, answer)),
    );
  }

  #inOrder(rows: readonly Observation[]): Observation[] {
    const [first] = rows;
    if (first === undefined) return [];
    const { seed, arms } = this.session.loaded.matrix;
    const names = arms.map(({ name }) => name);
    const positions = [...new Set(rows.map(({ position }) => position))].sort((a, b) => a - b);
    return positions.flatMap((position) => {
      const order = armOrderAt(seed, blockName(first), position, names);
      return rows
        .filter((row) => row.position === position)
        .sort((a, b) => order.indexOf(a.arm) - order.indexOf(b.arm));
    });
  }

  /** Null where the rule decides, or there is no answer. */
  #askingOf(fixture: FixtureOutline, judge: string, row: Observation): Asking | null {
    if (row.outcome.kind !== 'answered' || row.answer === null) return null;
    if (judgedByRule({ abstained: row.abstained === true, answerable: row.answerable }) !== null) return null;
    return askingOf(this.session, fixture, judge, row.question, row.answer);
  }

  /** The verdicts that are still to be had. */
  #missing(file: JudgementFile, askings: readonly Asking[]): MissingVerdict[] {
    const different = [...new Map(askings.map((asking) => [asking.key, asking])).values()];
    return different.flatMap((asking) => {
      const known = new Set(file.verdictsOn(asking.judge, asking.request).map(({ repeat }) => repeat));
      return Array.from({ length: asking.choice.repeats }, (_, index) => ({ asking, repeat: index + 1 })).filter(
        ({ repeat }) => !known.has(repeat),
      );
    });
  }

  async #askAll(file: JudgementFile, fixture: Fixture, missing: readonly MissingVerdict[]): Promise<void> {
    if (missing.length === 0) return;
    const limit = pLimit(this.session.loaded.matrix.concurrency);
    let done = 0;
    await file.adding(async (keep) => {
      const asked = await Promise.allSettled(
        missing.map(({ asking, repeat }) =>
          limit(async () => {
            const verdict = await this.#ask(fixture, asking, repeat);
            if (verdict === null) return;
            await keep(verdict);
            done += 1;
            tell(this.session, `${fixture.manifest.id}: judging`, done, missing.length);
          }),
        ),
      );
      // What is thrown here is a verdict that cannot be kept: those in flight are settled first.
      const failure = asked.find((result) => result.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
    });
  }

  /** Null where there is no verdict; then the cause is noted. */
  async #ask(fixture: Fixture, asking: Asking, repeat: number): Promise<KeptVerdict | null> {
    try {
      const verdict = await this.gate.pass(() => askVerdict(this.session, this.folder, fixture, asking, repeat));
      if (verdict === null) this.#causes.set(asking.key, STOPPED);
      return verdict;
    } catch (error) {
      this.#errors.push(error);
      this.#causes.set(asking.key, causeOf(error));
      return null;
    }
  }

  #lay(file: JudgementFile, fixture: FixtureOutline, row: Observation): Observation {
    const { scoring } = this.session.loaded.matrix;
    const laid = this.judges.map((judge) => ({ judge, ...this.#judged(file, fixture, judge, row) }));
    return {
      ...row,
      scores: { ...row.scores, ...Object.fromEntries(laid.map(({ judge, score }) => [`judge:${judge}`, score])) },
      applicable: scoring.filter((scorer) => judgeOf(scorer) !== null || row.applicable.includes(scorer)),
      judgements: Object.fromEntries(
        laid.flatMap(({ judge, judgement }) => (judgement === null ? [] : [[judge, judgement] as const])),
      ),
    };
  }

  #judged(
    file: JudgementFile,
    fixture: FixtureOutline,
    judge: string,
    row: Observation,
  ): { readonly score: number | null; readonly judgement: Judgement | null } {
    if (row.outcome.kind !== 'answered') return { score: null, judgement: null };
    const asking = this.#askingOf(fixture, judge, row);
    const none = { request: null, correct: 0, verdicts: 0, nano_usd: null, cause: null };
    if (asking === null) {
      const score = judgedByRule({ abstained: row.abstained === true, answerable: row.answerable });
      return { score, judgement: { ...none, by: 'rule', nano_usd: 0 } };
    }
    const { request } = asking;
    const verdicts = allVerdicts(file, asking);
    if (verdicts === null) {
      const cause = this.#causes.get(asking.key) ?? { code: 'NOT_JUDGED', message: 'the judge was not asked' };
      return { score: null, judgement: { ...none, by: null, request, cause } };
    }
    const cost = sumKnown(verdicts.map(({ nano_usd }) => (nano_usd === null ? null : BigInt(nano_usd))));
    return {
      score: Number(majorityOf(verdicts).correct),
      judgement: {
        by: 'judge',
        request,
        correct: verdicts.filter(({ correct }) => correct).length,
        verdicts: verdicts.length,
        nano_usd: cost === null ? null : jsonAmount(cost),
        cause: null,
      },
    };
  }
}

interface MissingVerdict {
  readonly asking: Asking;
  readonly repeat: number;
}

const STOPPED: Cause = { code: 'BUDGET_STOP', message: 'not judged: the budget had stopped the run' };

/** All the verdicts that an item is to have; null where one is missing. */
function allVerdicts(file: JudgementFile, { judge, request, choice }: Asking): readonly KeptVerdict[] | null {
  const verdicts = file.verdictsOn(judge, request).filter(({ repeat }) => repeat <= choice.repeats);
  return verdicts.length === choice.repeats ? verdicts : null;
}

function causeOf(error: unknown): Cause {
  return { code: error instanceof RecallMatrixError ? error.code : 'UNEXPECTED', message: messageOf(error) };
}
