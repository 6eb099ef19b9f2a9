import type { Digest } from '../../core/digest.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { ArmSettings } from '../../matrix/matrix.js';
import { deliberatePrompt } from '../../memory/reader/deliberate-prompt.js';
import type { ReaderPrompt } from '../../memory/reader/reader.js';
import { addUsage, NO_USAGE, type Usage } from '../../provider/usage.js';
import type { Scorer } from '../../scoring/scoring.js';
import { isOtherSystem, ranks, readsBeliefs } from '../arm-needs.js';
import type { Task } from '../arm-order.js';
import type { Cell } from '../cell.js';
import { jsonAmount, sumKnown } from '../summary/amounts.js';
import { splitEvenly, splitUsage } from '../summary/split-evenly.js';
import type { Asked } from './asked.js';
import type { Observation } from './observation.js';
import { scoreAsked } from './score-asked.js';

/** What all rows of a block share. */
export interface RowContext {
  readonly run: string;
  readonly matrix: Digest;
  readonly fixture: Fixture;
  readonly replicate: number;
  readonly bank: Digest | null;
  readonly load: Digest;
  readonly labels: Digest;
  readonly prompt: ReaderPrompt;
  readonly scorers: readonly Scorer[];
}

const FREE: Observation['attributed']['query'] = { usage: NO_USAGE, nano_usd: 0 };

/** A row as it is committed: everything but the cell's shared costs, which are laid when the cell is finalised (OB-2). */
export function makeRow(shared: RowContext, cell: Cell, task: Task, asked: Asked): Observation {
  const { fixture } = shared;
  const { arm } = cell;
  const label = labelOf(fixture, task.question);
  const { strategy, unit, mode } = arm.retrieval;
  return {
    format: 'observation@1',
    run: shared.run,
    matrix: shared.matrix,
    fixture: fixture.manifest.id,
    corpus: fixture.corpus,
    bank: cell.parity === 'not-applicable' ? null : shared.bank,
    vector_bank: cell.vector_bank,
    load: shared.load,
    labels: shared.labels,
    prompt: promptOf(arm, shared.prompt).digest,
    state: cell.state.digest,
    arm: arm.name,
    reference: arm.reference,
    oracle: strategy === 'evidence',
    position: task.position,
    question: task.question,
    repeat: task.repeat,
    replicate: shared.replicate,
    category: label.category,
    answerable: label.answerable,
    parity: cell.parity,
    replayed_calls: cell.replayed_calls,
    strategy,
    unit: strategy === 'none' ? null : unit,
    mode,
    recall: arm.recall ?? 'automatic',
    searches: asked.searches.map((search) => ({
      ...search,
      subjects: [...search.subjects],
      retrieved: [...search.retrieved],
    })),
    effective_strategy: asked.recalled?.effective_strategy ?? null,
    lookup_miss: asked.recalled?.lookup_miss ?? null,
    retrieved: (asked.recalled?.items ?? []).map(({ id, rank, score, sources }, index) => ({
      id,
      rank,
      score,
      sources: [...sources],
      tokens: asked.context?.item_tokens[index] ?? null,
    })),
    // Another system's answer was not read from our context.
    lessons: asked.is_given ? [] : [...asked.lessons],
    context:
      asked.context === null || asked.is_given
        ? null
        : {
            tokens: asked.context.tokens,
            digest: asked.context.digest,
            included: [...asked.context.included],
            left_out: [...asked.context.left_out],
          },
    answer: asked.answer,
    abstained: asked.abstained,
    ...scoreAsked(asked, label, shared.scorers, ranks(arm)),
    miss: null,
    judgements: {},
    outcome: asked.outcome,
    timings_ms: asked.outcome.kind === 'answered' ? roundedTimings(asked) : null,
    attributed: {
      formation: FREE,
      index: FREE,
      // What another system's retrieval, or its answer, cost is not known: unknown is never 0.
      query: isOtherSystem(arm)
        ? stage(null, null)
        : asked.query === null
          ? FREE
          : stage(asked.query.usage, asked.query.attributed_nano_usd),
      reader:
        !asked.is_given && (asked.outcome.kind === 'answered' || asked.outcome.kind === 'failed')
          ? stage(asked.reader.usage, asked.reader.attributed_nano_usd)
          : stage(null, null),
      nano_usd: null,
    },
    actual: {
      calls: asked.reader.sends,
      usage: asked.reader.sent_usage,
      nano_usd: jsonAmount(asked.reader.actual_nano_usd),
      uncertain_nano_usd: jsonAmount(asked.reader.uncertain_nano_usd),
    },
    reported_models: asked.reader.reported_models,
    request: asked.request,
  };
}

/** What is bound of the prompt: with the protocol of searches, for a reader that makes them. */
function promptOf(arm: ArmSettings, prompt: ReaderPrompt): ReaderPrompt {
  return arm.recall === 'deliberate' ? deliberatePrompt(prompt) : prompt;
}

/** A row that was asked again after the provider lost it: its actual sends are those of every try, so that nothing paid is left out. */
export function withEarlierTries(row: Observation, lost: Observation | undefined): Observation {
  if (lost === undefined) return row;
  const [before, now] = [lost.actual, row.actual];
  return {
    ...row,
    actual: {
      calls: before.calls + now.calls,
      usage: before.usage === null || now.usage === null ? null : { ...addUsage(before.usage, now.usage) },
      nano_usd: before.nano_usd + now.nano_usd,
      uncertain_nano_usd: before.uncertain_nano_usd + now.uncertain_nano_usd,
    },
  };
}

/** What a cell's rows share: formation's cost, for arms that read beliefs, and the index's. */
export interface SharedCosts {
  readonly formation: { readonly usage: Usage | null; readonly nano_usd: bigint | null };
  readonly index: { readonly usage: Usage | null; readonly nano_usd: bigint | null };
}

/**
 * Lays a cell's shared costs on its rows by largest remainder, in load order (OB-2): the shares sum exactly to the whole.
 */
export function laySharedCosts(rows: readonly Observation[], cell: Cell, shared: SharedCosts): Observation[] {
  const formation = readsBeliefs(cell.arm) ? shares(shared.formation, rows.length) : rows.map(() => FREE);
  const index = cell.uses_vectors ? shares(shared.index, rows.length) : rows.map(() => FREE);
  return rows.map((row, position) => {
    const parts = {
      ...row.attributed,
      formation: formation[position] as typeof FREE,
      index: index[position] as typeof FREE,
    };
    const amounts = [parts.formation, parts.index, parts.query, parts.reader].map(({ nano_usd }) =>
      nano_usd === null ? null : BigInt(nano_usd),
    );
    const total = sumKnown(amounts);
    return { ...row, attributed: { ...parts, nano_usd: total === null ? null : jsonAmount(total) } };
  });
}

function shares(whole: SharedCosts['index'], parts: number): (typeof FREE)[] {
  if (parts === 0) return [];
  const usages = whole.usage === null ? null : splitUsage(whole.usage, parts);
  const amounts = whole.nano_usd === null ? null : splitEvenly(whole.nano_usd, parts);
  return Array.from({ length: parts }, (_, index) => stage(usages?.[index] ?? null, amounts?.[index] ?? null));
}

function stage(usage: Usage | null, nanoUsd: bigint | null): typeof FREE {
  return { usage: usage === null ? null : { ...usage }, nano_usd: nanoUsd === null ? null : jsonAmount(nanoUsd) };
}

/** Microseconds are as fine as a timing means anything. */
function roundedTimings({ timings_ms: { recall, context, reader } }: Asked): NonNullable<Observation['timings_ms']> {
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  return { recall: round(recall), context: round(context), reader: round(reader) };
}

function labelOf(fixture: Fixture, question: string): NonNullable<ReturnType<Fixture['labels']['get']>> {
  return fixture.labels.get(question) as NonNullable<ReturnType<Fixture['labels']['get']>>;
}
