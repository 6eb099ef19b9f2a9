import type { Digest } from '../../core/digest.js';
import type { Question } from '../../fixture/question.js';
import type { ArmSettings } from '../../matrix/matrix.js';
import type { LookupMiss } from '../../memory/query-preparation/query-preparation.js';
import { usesVectors } from '../arm-needs.js';
import type { Observation } from '../asking/observation.js';
import type { QueryVectors } from './query-vectors.js';
import { lookupsOf } from './row-lookups.js';

/**
 * What became of the vectors of a run's queries, its questions and what its readers made up (RT-8), each text once, however many arms and
 * repeats asked it. Counts; never a text (SQ-1).
 */
export interface QueryTally {
  /** Different ones that arms with query preparation asked. */
  readonly queries: number;
  /** With a vector that this run prepared, in whichever of its sessions. */
  readonly prepared: number;
  /** With a vector that a vector bank pinned before. */
  readonly pinned: number;
  /** Without one in some row: by the guard, reason or ceiling of the row's word; `unprepared` by why. Only what occurred. */
  readonly withheld: Counts;
  readonly ineligible: Counts;
  readonly refused: Counts;
  readonly unprepared: Counts;
  /** That were prepared, and gone from the cache when they were looked up. */
  readonly cache: Counts;
}

type Counts = { readonly [reason: string]: number };

/** What became of one query of a fixture. */
export interface QueryFate {
  readonly fixture: string;
  /** Digest of its canonical text. */
  readonly text: Digest;
  readonly fate: 'prepared' | 'pinned' | LookupMiss;
  /** Why it is `unprepared`; null for other fates. */
  readonly reason: string | null;
}

/**
 * What the rows of one block say of its queries' vectors: the first miss that a row has, in the order of arms and load, else where the
 * vector came from. Rows are what a resumed or extended run keeps, so nothing is counted twice.
 *
 * @param queries null where all of the fixture is withheld, and nothing was opened.
 */
export function queryFates(
  fixture: string,
  arms: readonly ArmSettings[],
  rows: readonly Observation[],
  questions: readonly Question[],
  queries: Pick<QueryVectors, 'sourceOf'> | null,
): QueryFate[] {
  const names = new Set(arms.filter(usesVectors).map(({ name }) => name));
  const byId = new Map(questions.map((question) => [question.id, question]));
  const misses = new Map<Digest, LookupMiss | null>();
  for (const row of rows) {
    if (!names.has(row.arm)) continue;
    for (const { text, miss } of lookupsOf(row, byId)) misses.set(text, misses.get(text) ?? miss);
  }
  return [...misses].map(([text, miss]) => {
    const { source, reason } = queries?.sourceOf(text) ?? NOWHERE;
    return { fixture, text, fate: miss ?? source, reason: miss === 'unprepared' ? reason : null };
  });
}

/** Of a fixture that is withheld whole, every row misses. */
const NOWHERE = { source: 'prepared', reason: null } as const;

/** Adds fates up, each query of a fixture once: of several replicates the first that missed counts, else the first. */
export function queryTally(fates: readonly QueryFate[]): QueryTally {
  const distinct = new Map<string, QueryFate>();
  for (const fate of fates) {
    const key = JSON.stringify([fate.fixture, fate.text]);
    const known = distinct.get(key);
    if (known === undefined || (!isMiss(known) && isMiss(fate))) distinct.set(key, fate);
  }
  const all = [...distinct.values()];
  const reasons = (word: string): Counts =>
    counted(all.flatMap(({ fate }) => (fate.startsWith(`${word}:`) ? [fate.slice(word.length + 1)] : [])));
  return {
    queries: all.length,
    prepared: all.filter(({ fate }) => fate === 'prepared').length,
    pinned: all.filter(({ fate }) => fate === 'pinned').length,
    withheld: reasons('withheld'),
    ineligible: reasons('ineligible'),
    refused: reasons('refused'),
    unprepared: counted(all.flatMap(({ fate, reason }) => (fate === 'unprepared' ? [reason ?? 'unknown'] : []))),
    cache: counted(all.flatMap(({ fate }) => (fate === 'expired' || fate === 'evicted' ? [fate] : []))),
  };
}

function isMiss({ fate }: QueryFate): boolean {
  return fate !== 'prepared' && fate !== 'pinned';
}

function counted(reasons: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const reason of [...reasons].sort()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Object.fromEntries(counts);
}
