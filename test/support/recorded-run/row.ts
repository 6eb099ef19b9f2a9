import { canonicalJson } from '../../../src/core/canonical-json.js';
import { type Digest, digestText } from '../../../src/core/digest.js';
import type { Observation } from '../../../src/experiment/asking/observation.js';
import type { CellId, RunManifest } from '../../../src/experiment/run-record.js';
import type { Fixture } from '../../../src/fixture/fixture.js';
import type { Question } from '../../../src/fixture/question.js';
import type { ArmSettings } from '../../../src/matrix/matrix.js';
import { SAMPLE_CAUSE, sampleRow } from '../observation-samples.js';

/** One question as one arm was asked it. */
export interface AskedRow extends CellId {
  readonly question: string;
  /** Of the question in its fixture, and of the fixture in the run; from 0. */
  readonly index: number;
  readonly conversation: number;
  /** From 1. */
  readonly repeat: number;
}

export type RowValue = number | 'failed' | 'lost' | Partial<Observation>;

/** What all of a cell's rows share, and what one rests on. */
interface RowParts {
  readonly run: string;
  readonly matrix: Digest;
  readonly scorers: readonly string[];
  readonly facts: RunManifest['fixtures'][number];
  readonly bank: Digest;
  readonly state: Digest;
  readonly fixture: Fixture;
  readonly arm: ArmSettings;
  readonly position: number;
  /** Null where none is kept. */
  readonly request: string | null;
}

/** A row as a run would have committed it: its own belief was found first. */
export function recordedRow(parts: RowParts, asked: AskedRow, value: RowValue): Observation {
  const { arm, facts, fixture } = parts;
  const label = fixture.labels.get(asked.question) as NonNullable<ReturnType<Fixture['labels']['get']>>;
  const belief = `b1.${asked.index + 1}`;
  const finds = arm.retrieval.strategy !== 'none';
  const scoring = (score: number | null): Observation['scores'] =>
    Object.fromEntries(parts.scorers.map((name) => [name, score]));
  const row = sampleRow({
    run: parts.run,
    matrix: parts.matrix,
    fixture: facts.id,
    corpus: facts.corpus,
    bank: parts.bank,
    load: facts.load,
    labels: facts.labels,
    state: parts.state,
    arm: arm.name,
    reference: arm.reference,
    oracle: arm.retrieval.strategy === 'evidence',
    position: parts.position,
    question: asked.question,
    repeat: asked.repeat,
    replicate: asked.replicate,
    category: label.category,
    answerable: label.answerable,
    strategy: arm.retrieval.strategy,
    unit: finds ? arm.retrieval.unit : null,
    effective_strategy: arm.retrieval.strategy,
    retrieved: finds ? [{ id: belief, rank: 1, score: 1, sources: [`t:${asked.index + 1}`], tokens: 10 }] : [],
    context: {
      tokens: finds ? 100 : 0,
      digest: digestText(`context ${asked.question} ${arm.name}`),
      included: finds ? [belief] : [],
      left_out: [],
    },
    answer: label.expected[0] ?? '',
    abstained: !label.answerable,
    applicable: [...parts.scorers],
    scores: scoring(1),
    request: parts.request === null ? null : digestText(parts.request),
  });
  if (typeof value === 'number')
    return { ...row, scores: scoring(value), ...(value < 0.5 ? { answer: 'something else' } : {}) };
  if (value === 'failed' || value === 'lost')
    return {
      ...row,
      answer: null,
      abstained: null,
      scores: scoring(null),
      timings_ms: null,
      outcome: { kind: 'failed', cause: { ...SAMPLE_CAUSE, own_making: value === 'failed' } },
    };
  return { ...row, ...value };
}

/** The request that a question's reader was sent, as it is kept. */
export function recordedRequestText(fixture: Fixture, { question, asked_at, id }: Question): string {
  const index = Number(id.slice(id.lastIndexOf('/q') + 2)) - 1;
  const turn = fixture.history[index];
  const context = turn?.kind === 'turn' ? `[${turn.at}] ${turn.text}` : '';
  return canonicalJson({
    model: 'extractive-reader-1',
    messages: [
      { role: 'system', content: 'Answer from the context alone.' },
      { role: 'user', content: JSON.stringify({ context, present: asked_at, question }) },
    ],
    response_schema: { name: 'answer', schema: {} },
    parameters: {},
  });
}
