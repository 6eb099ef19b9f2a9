import { seededRandom } from '../core/random.js';

/** One question under one arm. */
export interface Task {
  /** Place in the load, from 0. */
  readonly position: number;
  readonly question: string;
  /** From 1. */
  readonly repeat: number;
  readonly arm: string;
}

/**
 * The order in which a block asks (MX-9): questions in load order, and for each the arms in a seeded random order of its own, so that a
 * drifting model, rate limits, prompt caches and a budget stop meet all arms alike.
 */
export function taskOrder(
  seed: string,
  block: string,
  load: readonly { readonly question: string; readonly repeat: number }[],
  arms: readonly string[],
): Task[] {
  return load.flatMap(({ question, repeat }, position) =>
    armOrderAt(seed, block, position, arms).map((arm) => ({ position, question, repeat, arm })),
  );
}

/** The order of the arms for one question of a block, which is named by `blockName`. */
export function armOrderAt(seed: string, block: string, position: number, arms: readonly string[]): string[] {
  return seededRandom(`${seed}\0${block}\0${position}`).shuffled(arms);
}
