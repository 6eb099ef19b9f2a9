import { type Mutant, mutantsOf } from './mutant.js';

/** Query preparation as the experiment uses it: which arms, in which groups, whose turn, and what is said of it. */
export const queryGroupMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/experiment/vectors/query-vectors.ts',
    ['src/experiment/vectors/query-vectors.test.ts'],
    [
      [
        'failed-group-is-sent-again',
        'SQ-8',
        'this.#missed.set(text, { miss, was_sent: wasSent, usage: share });',
        'if (wasSent === null) this.#missed.set(text, { miss, was_sent: wasSent, usage: share });',
      ],
      [
        'groups-in-the-order-of-asking',
        'SQ-9',
        'await this.#prepareGroup(this.#groups[0] as QueryGroup, signal);',
        'await this.#prepareGroup(this.#groups.at(-1) as QueryGroup, signal);',
      ],
      [
        'miss-under-one-ceiling-alone',
        'SQ-1',
        "if (found.miss !== 'unprepared') return found;",
        'if (found !== null) return found;',
      ],
      [
        'question-pays-for-its-group',
        'OB-2',
        'return splitUsageByWeight(usage, weights);',
        'return group.map(() => usage);',
      ],
      [
        'pinned-is-left-to-the-cache',
        'SQ-9 VB-3',
        'if (pin !== null) this.#preparer.preload(query, pin.vector);',
        'if (pin?.vector.length === 0) this.#preparer.preload(query, pin.vector);',
      ],
      [
        'shares-by-bytes',
        'OB-2 RT-2',
        'BigInt(countTokens(queryText(query)))',
        'BigInt(Buffer.byteLength(queryText(query)))',
      ],
      [
        'question-not-pinned',
        'VB-3',
        'await pins.keep(text, { vector',
        'if (vector === null) await pins.keep(text, { vector',
      ],
      ['withheld-is-charged', 'OB-2', 'missed === undefined || !missed.was_sent', 'missed === undefined'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/vectors/preparation-context.ts',
    ['src/experiment/vectors/preparation-context.test.ts'],
    [['context-of-another-policy', 'SQ-3', "formation?.policy ?? 'none'", "'facts@1'"]],
  ),
  ...mutantsOf(
    'src/experiment/vectors/query-groups/query-groups.ts',
    ['src/experiment/vectors/query-vectors.test.ts'],
    [['pinned-is-prepared-again', 'SQ-2 VB-3', '!due.has(text) && !isSettled(text)', '!due.has(text)']],
  ),
  ...mutantsOf(
    'src/experiment/vectors/query-groups/owner-turns.ts',
    ['src/experiment/vectors/query-vectors.test.ts'],
    [['no-turns', 'SQ-9', '?? Promise.resolve()).then(work)', '?? Promise.resolve()) && work()']],
  ),
  ...mutantsOf(
    'src/experiment/vectors/query-groups/process-turns.ts',
    ['src/experiment/vectors/query-groups/process-turns.test.ts'],
    [
      ['processes-take-no-turns', 'SQ-9', 'if (rows[0]?.had === true) return;', 'if (rows.length > 0) return;'],
      ['a-turn-is-kept', 'SQ-9', 'client.release(!isOver);', 'client.release();'],
      ['a-turn-is-waited-for-without-end', 'SQ-9', '[String(waitMs)]', "['0']"],
      [
        'giving-a-turn-up-is-waited-for',
        'SQ-8 SQ-9',
        "pg_advisory_unlock_all()', query_timeout };",
        "pg_advisory_unlock_all()', query_timeout: query_timeout * 1_000 };",
      ],
      ['unanswered-turn-loses-its-work', 'SQ-8 SQ-9', '    () => false,\n', ''],
      ['stop-waits-for-the-turn', 'CL-3 SQ-9', 'Promise.race([waiting, aborted])', 'waiting'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/vectors/query-groups/slot-wait.ts',
    ['src/experiment/vectors/query-vectors.test.ts'],
    [
      ['slot-is-not-waited-for', 'SQ-9', 'most_ms: 20_000', 'most_ms: 15_000'],
      ['slot-is-waited-for-too-long', 'SQ-9', 'most_ms: 20_000', 'most_ms: 21_000'],
      ['a-ceiling-is-waited-for', 'SQ-9', "rest <= 0 || !outcomes.includes('refused:slot')", 'rest <= 0'],
      ['stop-waits-for-the-slot', 'CL-3 SQ-9', 'if (signal.aborted) throw', 'if (signal === null) throw'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/vectors/query-groups/session-queries.ts',
    ['src/experiment/vectors/query-vectors.test.ts'],
    [
      [
        'each-replicate-tries-again',
        'SQ-8',
        'this.#missed.set(fixture, missed);',
        "if (fixture === '') this.#missed.set(fixture, missed);",
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/vectors/query-tally.ts',
    ['src/experiment/vectors/query-tally.test.ts'],
    [
      ['question-counts-once-an-arm', 'SQ-1', '(!isMiss(known) && isMiss(fate))', 'isMiss(fate) === null'],
      [
        'arms-that-are-off-are-counted',
        'SQ-1 SQ-2',
        'arms.filter(usesVectors)',
        'arms.filter(({ name }) => name !== null)',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/vectors/query-misses.ts',
    ['src/experiment/vectors/query-misses.test.ts'],
    [['misses-not-read-again', 'SQ-1 OB-5', 'if (!existsSync(path)) return', 'if (path !== null) return']],
  ),
  ...mutantsOf(
    'src/matrix/check-modes.ts',
    ['src/matrix/arm-preparation.test.ts'],
    [
      [
        'preparation-off-without-vectors',
        'SQ-2',
        "if (arm.query_preparation === 'on' || scoresVectors(strategy)) return;",
        'if (scoresVectors(strategy) || index >= 0) return;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/matrix/axes.ts',
    ['src/matrix/arm-preparation.test.ts'],
    [
      [
        'preparation-axis-of-every-arm',
        'SQ-2 MX-3',
        "if (key === 'query_preparation') return scoresVectors(strategy as Strategy);",
        "if (key === 'query_preparation') return strategy !== 'none';",
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/arm-needs.ts',
    ['src/experiment/arm-preparation.test.ts'],
    [
      [
        'preparation-off-is-prepared',
        'SQ-2',
        "return looksVectorsUp(arm) && arm.query_preparation !== 'off';",
        'return looksVectorsUp(arm);',
      ],
    ],
  ),
];
