import { type Mutant, mutantsOf } from './mutant.js';

const ROOM = 'src/memory/query-preparation/admission';
const IN_MEMORY = [`${ROOM}/in-memory-admission.test.ts`];
const POSTGRES = [`${ROOM}/postgres-admission.test.ts`];
const SCHEMA = [`${ROOM}/embedding-schema.test.ts`];
const SECOND = [`${ROOM}/query-receipts-migration.test.ts`];

/** The owner's ledger of embeddings: admission, expiry, settlement, row security, the way down. */
export const admissionMutants: readonly Mutant[] = [
  ...mutantsOf(`${ROOM}/charge.ts`, IN_MEMORY, [
    ['charge-rounds-down', 'SQ-10', '(amount_nano_usd + QUANTUM_NANO_USD - 1n) /', 'amount_nano_usd /'],
    ['charge-may-be-negative', 'SQ-10', 'if (amount_nano_usd < 0n) {', 'if (amount_nano_usd < -1_000_000n) {'],
  ]),
  ...mutantsOf(`${ROOM}/admission-rule.ts`, IN_MEMORY, [
    ['slot-is-not-looked-at', 'SQ-9', "request.kind === 'query' && account.has_pending_query", 'false'],
    ['slot-stops-items', 'SQ-9', "request.kind === 'query' && account.has_pending_query", 'account.has_pending_query'],
    [
      'request-ceiling-off-by-one',
      'SQ-9',
      'nanoUsdOf(quanta) > ceilings.request_nano_usd',
      'nanoUsdOf(quanta) >= ceilings.request_nano_usd',
    ],
    [
      'request-ceiling-of-unrounded',
      'SQ-9',
      'nanoUsdOf(quanta) > ceilings.request_nano_usd',
      'request.amount_nano_usd > ceilings.request_nano_usd',
    ],
    ['day-ceiling-off-by-one', 'SQ-9', 'quanta) > ceilings.day_nano_usd', 'quanta) >= ceilings.day_nano_usd'],
    ['day-ceiling-forgets-the-day', 'SQ-9', 'nanoUsdOf(account.day_quanta + quanta) >', 'nanoUsdOf(quanta) >'],
    ['expiry-a-millisecond-late', 'SQ-10', 'rest <= 0', 'rest < 0'],
    ['deadline-far-ahead-keeps-the-slot', 'SQ-8 SQ-9', ' || rest > FURTHEST_DEADLINE_MS', ''],
    ['clocks-that-differ-end-each-other', 'SQ-8 SQ-9', '2 * PREPARATION_TIMES.lease_ms', 'PREPARATION_TIMES.lease_ms'],
    ['items-expire', 'SQ-8', "kind === 'index' ? null", 'kind === undefined ? null'],
  ]),
  ...mutantsOf(`${ROOM}/in-memory-admission.ts`, IN_MEMORY, [
    [
      'expired-is-not-unknown',
      'SQ-10',
      "if (each.status === 'pending' && isExpired(each.deadline, now)) turnUnknown(each);",
      '',
    ],
    ['late-answer-lowers', 'SQ-10', "if (found.status !== 'pending') {", "if (found.status === 'released') {"],
    [
      'late-breach-is-not-charged',
      'SQ-10',
      "if (found.status === 'unknown' && charge > found.charge_nano_usd) found.charge_nano_usd = charge;",
      '',
    ],
    ['receipt-used-twice', 'SQ-13', 'if (receipts.has(receipt)) throw receiptUsed(owner, receipt);', ''],
    [
      'unknown-keeps-a-settled-charge',
      'SQ-13',
      'if (receipt.charge_nano_usd < receipt.reserved_nano_usd)',
      'if (receipt.charge_nano_usd < 0n)',
    ],
    [
      'day-of-the-settlement',
      'SQ-10',
      'found.status = status;',
      'found.status = status;\n    found.day = dayOf(this.#clock.now());',
    ],
    ['owners-by-one-word', 'SQ-9', 'canonicalJson([tenant, principal])', '`${tenant}${principal}`'],
  ]),
  ...mutantsOf(`${ROOM}/postgres-admission.ts`, POSTGRES, [
    ['postgres-late-answer-lowers', 'SQ-10', "if (found.status !== 'pending') {", "if (found.status === 'released') {"],
    [
      'postgres-late-breach-is-not-charged',
      'SQ-10',
      'await query(statements.RAISE_UNKNOWN, [receipt, quanta.toString()]);',
      '',
    ],
    ['postgres-receipt-used-twice', 'SQ-13', 'if (is_used) throw receiptUsed(request.owner, receipt);', ''],
    ['postgres-resolves-without-expiring', 'SQ-10', '      await this.#expire(query);\n', ''],
    ['runtime-may-be-privileged', 'PG-4', 'if (rows[0]?.bound === true) return;', 'if (rows.length === 1) return;'],
  ]),
  ...mutantsOf(`${ROOM}/owner-statements.ts`, POSTGRES, [
    ['owner-is-not-locked', 'SQ-9', "recall_matrix_embedding.owner for update'", "recall_matrix_embedding.owner'"],
    ['postgres-expiry-late', 'SQ-10', '`deadline > ${now}::timestamptz and', '`deadline >= ${now}::timestamptz and'],
    ['postgres-lease-outlives-its-deadline', 'SQ-8', "${isLiveAt('$2')}", 'true'],
    [
      'postgres-deadline-far-ahead-keeps-the-slot',
      'SQ-8 SQ-9',
      "'pending' and not (${isLiveAt('$1')})",
      "'pending' and deadline <= $1::timestamptz",
    ],
    [
      'postgres-late-answer-lowers-what-is-unknown',
      'SQ-10',
      "and status = 'unknown' and charge_micro_usd < $2::bigint",
      "and status = 'unknown' and charge_micro_usd <> $2::bigint",
    ],
    [
      'postgres-unknown-keeps-a-settled-charge',
      'SQ-13',
      'greatest(charge_micro_usd, reserved_micro_usd)',
      'charge_micro_usd',
    ],
    [
      'sum-of-one-kind',
      'SQ-9',
      'sum(charge_micro_usd) filter (where day',
      "sum(charge_micro_usd) filter (where kind = 'index' and day",
    ],
  ]),
  ...mutantsOf(`${ROOM}/owner-account.ts`, POSTGRES, [
    ['lock-that-is-not-had-is-a-fault', 'SQ-8 SQ-9', 'if (code === LOCK_NOT_AVAILABLE) {', 'if (code === null) {'],
    [
      'lock-of-an-owner-kept-for-ever',
      'SQ-8 SQ-9',
      'await query(BOUND_LOCK, [String(lockWaitMs)]);',
      "await query(BOUND_LOCK, ['300000']);",
    ],
  ]),
  ...mutantsOf(`${ROOM}/sql/0001-index-receipts.up.sql`, POSTGRES, [
    [
      'embedding-row-security-not-forced',
      'PG-4',
      "execute format('alter table recall_matrix_embedding.%I force row level security', name);",
      '',
    ],
    [
      'receipts-may-be-deleted',
      'SQ-10',
      'create trigger receipt_is_kept before delete',
      'create trigger receipt_is_kept before insert',
    ],
    ['unknown-may-be-settled', 'SQ-10', "old.status <> 'pending' and new.status <> 'unknown'", 'false'],
  ]),
  ...mutantsOf(`${ROOM}/sql/0002-query-receipts.up.sql`, POSTGRES, [
    ['two-pending-queries', 'SQ-9', 'create unique index one_pending_query', 'create index one_pending_query'],
    [
      'deadline-of-items',
      'SQ-11',
      "check ((kind = 'query') = (deadline is not null))",
      "check (kind = 'index' or deadline is not null)",
    ],
  ]),
  ...mutantsOf(`${ROOM}/sql/0001-index-receipts.down.sql`, SCHEMA, [
    [
      'charges-are-forgotten',
      'SQ-11',
      "if exists (select from recall_matrix_embedding.spend where charge_micro_usd > 0 or status = 'pending') then",
      'if false then',
    ],
  ]),
  ...mutantsOf(`${ROOM}/sql/0002-query-receipts.down.sql`, SECOND, [
    [
      'pending-work-is-forgotten',
      'SQ-11',
      "if exists (select from recall_matrix_embedding.spend where kind = 'query' and status = 'pending') then",
      'if false then',
    ],
    ['down-without-the-owner-lock', 'SQ-11', 'lock table recall_matrix_embedding.owner in access exclusive mode;', ''],
    [
      'expired-work-blocks-the-way-down',
      'SQ-11',
      "deadline <= nullif(current_setting('recall.now', true), '')::timestamptz",
      'false',
    ],
    [
      'work-far-ahead-blocks-the-way-down',
      'SQ-11',
      "or deadline > nullif(current_setting('recall.now', true), '')::timestamptz + interval '30 seconds'",
      '',
    ],
  ]),
  ...mutantsOf(`${ROOM}/sql/0002-query-receipts.down.sql`, SCHEMA, [
    [
      'down-past-hidden-rows',
      'SQ-11',
      "if pg_catalog.row_security_active('recall_matrix_embedding.owner') or pg_catalog.row_security_active('recall_matrix_embedding.spend') then",
      'if false then',
    ],
  ]),
  ...mutantsOf(`${ROOM}/index-receipt-reader.ts`, SCHEMA, [
    ['reader-takes-more-fields', 'SQ-11', 'z.strictObject({', 'z.object({'],
  ]),
  ...mutantsOf(
    'src/postgres/mark.ts',
    ['src/postgres/control-runtime.test.ts', 'src/postgres/leftovers.test.ts'],
    [['role-goes-before-its-right', 'PG-5', "${revoked.join('\\n')}", '']],
  ),
];
