import { type Mutant, mutantsOf } from './mutant.js';

const PREPARATION = ['src/memory/query-preparation/query-preparer.test.ts'];
const PARITY = ['src/parity/parity.test.ts'];

/** Query preparation, context, parity, Postgres. */
export const stateMutants: readonly Mutant[] = [
  ...mutantsOf('src/memory/query-preparation/vector-cache.ts', PREPARATION, [
    [
      'cache-holds-more',
      'SQ-5',
      'if (this.#held.size <= VECTOR_CACHE_LIMITS.vectors) return;',
      'if (this.#held.size <= 2 * VECTOR_CACHE_LIMITS.vectors) return;',
    ],
    ['cache-holds-longer', 'SQ-5', 'lifetime_ms: 300_000', 'lifetime_ms: 600_000'],
    [
      'cache-use-prolongs',
      'SQ-5',
      'this.#held.set(key, held);\n    return held.vector;',
      'this.#held.set(key, { ...held, expires_ms: this.#clock.monotonicMs() + VECTOR_CACHE_LIMITS.lifetime_ms });\n    return held.vector;',
    ],
    [
      'cache-first-in-first-out',
      'SQ-5',
      'this.#held.delete(key);\n    if (this.#clock.monotonicMs() >= held.expires_ms) {\n',
      'if (this.#clock.monotonicMs() >= held.expires_ms) {\n      this.#held.delete(key);\n',
    ],
  ]),
  ...mutantsOf('src/memory/query-preparation/query-preparer.ts', PREPARATION, [
    [
      'five-queries-at-once',
      'SQ-2',
      'if (queries.length > PREPARATION_LIMIT) {',
      'if (queries.length > PREPARATION_LIMIT + 1) {',
    ],
    [
      'duplicates-are-sent',
      'SQ-2',
      "if (seen.has(key)) group.outcomes.push('duplicate');",
      "if (seen.size < 0) group.outcomes.push('duplicate');",
    ],
    ['changed-context-keeps-cache', 'SQ-4', '    this.#cache.clear();\n', ''],
  ]),
  ...mutantsOf('src/memory/query-preparation/query-identity.ts', PREPARATION, [
    [
      'vector-key-without-context',
      'SQ-3',
      'digestJson({ mechanism: SEMANTIC_QUERY_MECHANISM, context, query })',
      'digestJson({ mechanism: SEMANTIC_QUERY_MECHANISM, query })',
    ],
  ]),
  ...mutantsOf(
    'src/memory/context/context-assembler.ts',
    ['src/memory/context/context-assembler.test.ts'],
    [
      ['context-over-budget', 'RT-4', 'tokens + more > budgetTokens) break;', 'tokens > budgetTokens) break;'],
      [
        'short-item-displaces',
        'RT-4',
        'tokens + more > budgetTokens) break;',
        'tokens + more > budgetTokens) continue;',
      ],
      ['context-not-in-time', 'RT-4', 'compareCivilTimes(a.item.at, b.item.at) || ', ''],
    ],
  ),
  ...mutantsOf('src/parity/compare-states.ts', PARITY, [
    [
      'parity-without-a-column',
      'ST-1 ST-3',
      'const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();',
      "const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort().filter((field) => field !== 'confidence');",
    ],
    [
      'parity-without-order',
      'ST-2',
      "return { table, record: nameOf(moved), field: '(position)', expected: place + 1, found: foundPlace + 1 };",
      'return foundPlace < 0 ? { table, record: nameOf(moved), field: "", expected: null, found: null } : null;',
    ],
  ]),
  ...mutantsOf('src/parity/read-belief-state.ts', PARITY, [
    [
      'snapshot-without-a-table',
      'ST-1',
      'const names = [...new Set(columns.rows.map((row) => row.table_name))];',
      "const names = [...new Set(columns.rows.map((row) => row.table_name))].filter((name) => name !== 'supersession');",
    ],
    [
      'snapshot-with-absolute-positions',
      'ST-2',
      '(identity === undefined ? record : { ...record, [identity]: index + 1 })',
      '(identity === undefined || index < 0 ? record : record)',
    ],
    [
      'snapshot-of-visible-rows',
      'ST-1 PG-1',
      'if (role.rows[0]?.sees !== true) {',
      'if (role.rows[0]?.sees === undefined) {',
    ],
  ]),
  ...mutantsOf(
    'src/postgres/pool.ts',
    ['src/postgres/pool.test.ts'],
    [
      [
        'pool-query-unnamed',
        'PG-3',
        'override query(...args: unknown[]): never {\n    return queryNaming(this, super.query, args, this.#server);\n  }\n\n  override connect',
        'override connect',
      ],
      [
        'unanswered-statement-is-waited-for',
        'PG-3 SQ-8',
        '    query_timeout: options.answerWithinMs ?? ANSWER_WITHIN_MS,\n',
        '',
      ],
      ['unanswered-is-no-lost-server', 'PG-3 SQ-8', 'if (isUnanswered(error)) this.#cut();', 'isUnanswered(error);'],
      [
        'end-waits-for-a-silent-server',
        'PG-3',
        'setTimeout(() => this.#cut(), this.#closeWithinMs)',
        'setTimeout(() => {}, this.#closeWithinMs)',
      ],
    ],
  ),
  ...mutantsOf(
    'src/postgres/pool.ts',
    ['src/memory/query-preparation/admission/postgres-admission.test.ts'],
    [['isolation-of-the-server', 'SQ-9 PG-1', "  default_transaction_isolation: 'read committed',\n", '']],
  ),
  ...mutantsOf(
    'src/postgres/mark.ts',
    ['src/postgres/mark.test.ts'],
    [
      [
        'unmarked-database-is-dropped',
        'PG-3',
        'if (!name.startsWith(NAME_PREFIX) || !isOurs) return false;',
        'if (!name.startsWith(NAME_PREFIX) || found === null) return false;',
      ],
      ['unmarked-role-is-dropped', 'PG-3', "parseMark(rows[0]?.comment ?? null)?.kind !== 'role'", 'rows.length === 0'],
    ],
  ),
  ...mutantsOf(
    'src/postgres/leftovers.ts',
    ['src/postgres/leftovers.test.ts'],
    [
      ['database-of-a-living-run-is-dropped', 'PG-5', ' || isLiving(mark.invocation)) return', ') return'],
      ['control-database-is-a-leftover', 'PG-5', "mark.kind === 'control' || ", ''],
      [
        'unknown-owner-counts-as-dead',
        'PG-3 PG-5',
        'if (isAlive === false) return null;',
        'if (isAlive !== true) return null;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/postgres/control-database.ts',
    ['src/postgres/embedded/kept-cluster.test.ts'],
    [
      [
        'ledger-on-an-unsynced-cluster',
        'PG-5',
        'if (parts.syncFiles !== null) await makeDurable(client, parts.syncFiles);',
        '',
      ],
      ['commits-of-a-ledger-not-awaited', 'PG-5 LG-2', 'isDurable: true,', 'isDurable: false,'],
    ],
  ),
  ...mutantsOf(
    'src/postgres/embedded/kept-cluster.ts',
    ['src/postgres/embedded/kept-cluster.test.ts'],
    [
      [
        'two-servers-on-one-cluster',
        'PG-5',
        '(await joinRunning(place.folder)) ?? (await start(place, clock, signal))',
        'await start(place, clock, signal)',
      ],
    ],
  ),
  ...mutantsOf(
    'src/postgres/server-checks.ts',
    ['src/postgres/existing.test.ts'],
    [
      [
        'any-server-version',
        'PG-1 PG-3',
        'if (major >= OLDEST_MAJOR && major <= NEWEST_MAJOR) return;',
        'if (major >= 0) return;',
      ],
      ['missing-rights', 'PG-3', 'if (missing.length === 0) return;', 'if (missing.length < 9) return;'],
    ],
  ),
];
