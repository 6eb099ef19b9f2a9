import type { Observation } from '../../experiment/experiment.js';
import { countedScore, isOwnFailure } from '../../experiment/run-record.js';
import type { Label } from '../../fixture/label.js';
import { type ArmSettings, ranksItems } from '../../matrix/matrix.js';
import { type Difference, newConversations, theseConversations } from '../statistics/statistics.js';
import { AbstentionCounts } from './abstention-counts.js';
import { medianOf } from './context-tokens.js';
import { CostCounts } from './cost-counts.js';
import { EvidenceCurve } from './evidence-curve.js';
import { type Fate, fateCounts, fateOf } from './fate.js';
import type { ArmFigures, CountedScore, DatasetFigures } from './figures.js';
import { QuestionMeans } from './question-means.js';

/** What the figures of every arm are reckoned by. */
export interface FigureSettings {
  readonly scorers: readonly string[];
  readonly primary: string;
  readonly alpha: number;
  /** By which answers are wrong; null where none looks at answers. */
  readonly miss_scorer: string | null;
  /** Whether lessons were learnt from a question (LE-6). */
  isInSample(fixture: string, question: string): boolean;
}

/** Adds up one arm's rows of one dataset, one conversation after another. It holds a number a question, and one a row. */
export class ArmTally {
  readonly #scores: ReadonlyMap<string, QuestionMeans>;
  readonly #categories = new Map<string, QuestionMeans>();
  readonly #conversations = new Map<string, QuestionMeans>();
  readonly #fates = new Map<Fate, number>();
  readonly #abstention: AbstentionCounts;
  readonly #cost = new CostCounts();
  readonly #evidence = new EvidenceCurve();
  readonly #questions: Difference[] = [];
  readonly #paired: CountedScore[] = [];
  readonly #context: number[] = [];
  readonly #ranks: boolean;

  constructor(
    private readonly arm: ArmSettings,
    private readonly settings: FigureSettings,
  ) {
    this.#scores = new Map(settings.scorers.map((scorer) => [scorer, new QuestionMeans()]));
    this.#abstention = new AbstentionCounts(settings.miss_scorer ?? settings.primary);
    this.#ranks = ranksItems(arm.retrieval.strategy);
  }

  get categories(): Iterable<string> {
    return this.#categories.keys();
  }

  /** @param label null where it cannot be read any more. */
  add(row: Observation, label: Label | null): void {
    const { settings } = this;
    const { fixture, question, replicate, repeat } = row;
    for (const [scorer, means] of this.#scores) {
      const score = countedScore(row, scorer);
      if (score !== null) means.add(row, score);
    }
    const score = countedScore(row, settings.primary);
    if (score !== null) {
      meansOf(this.#categories, row.category).add(row, score);
      meansOf(this.#conversations, fixture).add(row, score);
    }
    if (!settings.isInSample(fixture, question))
      this.#paired.push({
        conversation: fixture,
        question,
        replicate,
        repeat,
        score,
        is_failure: isOwnFailure(row),
      });
    const fate = fateOf(row, settings.miss_scorer);
    this.#fates.set(fate, (this.#fates.get(fate) ?? 0) + 1);
    this.#abstention.add(row);
    this.#cost.add(row);
    if (row.context !== null) this.#context.push(row.context.tokens);
    if (label !== null) this.#addEvidence(row, label, fate);
  }

  /** A lost row says nothing of the ranking, and one that failed found nothing: as the scorers have it (OB-4). */
  #addEvidence(row: Observation, label: Label, fate: Fate): void {
    const evidence = new Set(label.evidence);
    const isRanked = fate === 'failed' || row.effective_strategy !== null;
    if (!this.#ranks || evidence.size === 0 || fate === 'lost' || !isRanked) return;
    this.#evidence.add(row, evidence, fate === 'failed' ? [] : row.retrieved);
  }

  /** Ends a conversation. */
  close(conversation: string): void {
    for (const means of this.#scores.values()) means.close();
    for (const means of this.#categories.values()) means.close();
    for (const mean of this.#conversations.get(conversation)?.close() ?? [])
      this.#questions.push({ conversation, difference: mean });
    this.#abstention.close();
    this.#evidence.close();
  }

  figures(
    { conversations, categories }: Pick<DatasetFigures, 'conversations' | 'categories'>,
    expected: number,
  ): ArmFigures {
    const { alpha } = this.settings;
    return {
      arm: this.arm.name,
      expected,
      scores: new Map([...this.#scores].map(([scorer, means]) => [scorer, means.figure])),
      new_conversations: newConversations(this.#questions, alpha),
      these_conversations: theseConversations(this.#questions, alpha),
      by_category: categories.map((category) => this.#categories.get(category)?.figure ?? null),
      by_conversation: conversations.map((conversation) => this.#conversations.get(conversation)?.figure ?? null),
      fates: fateCounts(this.#fates, expected),
      abstention: this.#abstention.figures,
      cost: this.#cost.figures,
      context_tokens: medianOf(this.#context),
      evidence: this.#evidence.figures(this.arm.retrieval.limit),
      paired: this.#paired,
    };
  }
}

function meansOf(means: Map<string, QuestionMeans>, key: string): QuestionMeans {
  const found = means.get(key) ?? new QuestionMeans();
  means.set(key, found);
  return found;
}
