import { type Mutant, mutantsOf } from './mutant.js';

/** Two ledgers of one embedding send, the ceilings between them, and what a plan says of those. */
export const ownerLedgerMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/experiment/owner-ledger/twin-ledger.ts',
    ['src/experiment/owner-ledger/twin-ledger.test.ts'],
    [
      [
        'in-process-embedding-asks-the-owner',
        'SQ-9',
        'const kind = request.is_send ? embeddingKind(request.attribution) : null;',
        'const kind = embeddingKind(request.attribution);',
      ],
      [
        'refused-by-the-owner-stays-reserved',
        'SQ-13',
        'await matrix.release(reservation, `owner-ceiling-${refused.ceiling}`, false);',
        '',
      ],
      [
        'refused-by-the-owner-counts-as-sent',
        'SQ-9 SQ-13',
        '`owner-ceiling-${refused.ceiling}`, false);',
        '`owner-ceiling-${refused.ceiling}`, true);',
      ],
      [
        'lost-owner-ledger-admits',
        'SQ-10',
        'throw isOthers ? continuedElsewhere(run, error) : error;',
        'return reservation;',
      ],
      [
        'receipt-of-another-copy-is-given-back',
        'SQ-10 SQ-13',
        "const isOthers = codeOf(error) === 'RECEIPT_USED';",
        'const isOthers = false;',
      ],
      ['lost-admission-is-given-back-in-one', 'SQ-13', "return codeOf(error) === 'RECEIPT_MISSING';", 'return true;'],
      [
        'lost-before-its-admission-stays-reserved',
        'SQ-13',
        "return codeOf(error) === 'RECEIPT_MISSING';",
        'return false;',
      ],
      [
        'late-breach-is-held',
        'SQ-10 LG-9',
        'const isBreach = cost_nano_usd > reservation.amount_nano_usd;',
        'const isBreach = false;',
      ],
      [
        'late-answer-lowers-the-charge-of-the-run',
        'SQ-10',
        'if (isBooked || isBreach) await matrix.settle(reservation, cost_nano_usd);',
        'if (cost_nano_usd >= 0n) await matrix.settle(reservation, cost_nano_usd);',
      ],
      [
        'late-refusal-lowers-the-charge-of-the-run',
        'SQ-10',
        'if (isBooked) await matrix.release(reservation, reason, sent);',
        'if (reason) await matrix.release(reservation, reason, sent);',
      ],
      ['late-answer-is-used', 'SQ-10', 'if (!isBooked) lease?.lapse();', ''],
      [
        'lapsed-lease-is-settled',
        'SQ-8',
        'if (lease?.lapsed.aborted === true) {',
        'if (lease?.lapsed.aborted === true && receipt.length === 0) {',
      ],
      [
        'resolved-send-is-watched',
        'SQ-8',
        '    this.#twins.delete(id);\n    twin?.lease?.end();',
        '    this.#twins.delete(id);',
      ],
      [
        'items-have-a-lease',
        'SQ-8',
        "const lease = kind === 'query' ?",
        "const lease = kind === 'query' || kind === 'index' ?",
      ],
      [
        'cleanup-without-a-bound',
        'SQ-8',
        'await Promise.race([work(), late]);',
        'late.catch(() => {});\n      await work();',
      ],
    ],
  ),
  ...mutantsOf(
    'src/memory/query-preparation/admission/owner-account.ts',
    ['src/experiment/owner-ledger/lost-and-copied.test.ts'],
    [['refused-login-is-a-fault', 'RS-3', "if (severity === 'FATAL') {", "if (severity === 'PANIC') {"]],
  ),
  ...mutantsOf(
    'src/experiment/owner-ledger/twin-ledger.ts',
    ['src/experiment/owner-ledger/twin-ledger.test.ts'],
    [['receipt-of-another-id', 'SQ-13', 'receiptId(run, reservation.id)', 'receiptId(run, request.body)']],
  ),
  ...mutantsOf(
    'src/memory/beliefs/owner-transaction.ts',
    ['src/experiment/owner-ledger/owner-ledger.test.ts'],
    [
      [
        'transaction-open-while-the-provider-is-called',
        'SQ-8',
        "await query('commit');",
        "await query('commit');\n    await client.query('begin');",
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/owner-ledger/lease.ts',
    ['src/experiment/owner-ledger/twin-ledger.test.ts'],
    [
      ['lease-is-not-checked', 'SQ-8', 'while ((await isLive()) && !signal.aborted);', 'while (!signal.aborted);'],
      ['lease-that-cannot-be-checked-holds', 'SQ-8', '    } catch {\n', '    } catch {\n      return;\n'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/owner-ledger/pair-ledgers.ts',
    ['test/crash/embedding-crash.test.ts'],
    [
      ['left-open-stays-pending', 'SQ-13', 'await owners.markUnknown(owner, receipt);', ''],
      [
        'left-open-before-its-admission-is-forgotten',
        'SQ-13',
        'await owners.reserve({ receipt, owner, kind, amount_nano_usd }).catch(ignoreKnown);',
        'ignoreKnown({ amount_nano_usd });',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/owner-ledger/open-owner-ledger.ts',
    ['src/experiment/owner-ledger/owner-ledger.test.ts'],
    [
      [
        'replay-opens-the-owner-ledger',
        'SQ-9',
        'use.sends === false || !embeds(prepared, use.reads)',
        'use.sends === false',
      ],
      [
        'reproduction-opens-the-owner-ledger',
        'SQ-9',
        'ceilings === null || use.sends === false ||',
        'ceilings === null ||',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/owner-ledger/plan-ceilings.ts',
    ['src/experiment/owner-ledger/plan-ceilings.test.ts'],
    [
      [
        'day-ceiling-is-not-planned',
        'MX-6',
        'largest <= ceilings.request_nano_usd && worst <= ceilings.day_nano_usd',
        'largest <= ceilings.request_nano_usd',
      ],
      [
        'request-ceiling-is-not-planned',
        'MX-6',
        'largest <= ceilings.request_nano_usd && worst <= ceilings.day_nano_usd',
        'worst <= ceilings.day_nano_usd',
      ],
      ['dear-request-is-run', 'MX-6 SQ-9', 'if (least <= request_nano_usd) return;', 'return;'],
      [
        'estimate-refuses-a-run',
        'MX-6',
        'const { index, query } = embeddingCalls(prepared, embedder.entry);',
        'const { index: known, unformed, query } = embeddingCalls(prepared, embedder.entry);\n  const index = [...known, ...unformed.map((one) => ({ ...one, expected_bytes: one.worst_bytes }))];',
      ],
      [
        'plan-without-whole-quanta',
        'MX-6',
        'nanoUsdOf(quantaOf(amount ?? 0n));',
        '(nanoUsdOf(quantaOf(0n)) + (amount ?? 0n));',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/budget-gate.ts',
    ['src/experiment/budget-gate.test.ts'],
    [['owner-ceiling-stops-the-run', 'SQ-9 MX-9', ' && !(error instanceof AdmissionRefused)', '']],
  ),
  ...mutantsOf(
    'src/matrix/check-providers.ts',
    ['src/matrix/embedding-ceilings.test.ts'],
    [
      [
        'ceilings-contradict',
        'MX-2 SQ-9',
        'if (parseUsd(request_usd) <= parseUsd(day_usd)) return;',
        'if (request_usd.length > 0) return;',
      ],
      [
        'ceilings-of-what-sends-nothing',
        'MX-2',
        "providers[preparation.embedding.provider]?.kind === 'local'",
        'providers[preparation.embedding.provider]?.kind === undefined',
      ],
    ],
  ),
  ...mutantsOf(
    'src/matrix/embedding-ceilings.ts',
    ['src/matrix/embedding-ceilings.test.ts'],
    [
      [
        'day-ceiling-of-a-request',
        'SQ-9',
        'day_nano_usd: BigInt(day_nano_usd) };',
        'day_nano_usd: BigInt(request_nano_usd) };',
      ],
    ],
  ),
  ...mutantsOf(
    'src/provider/metered.ts',
    ['src/provider/metered.test.ts'],
    [
      [
        'send-outlives-its-lease',
        'SQ-8',
        'lapsed === undefined ? signal : AbortSignal.any([signal, lapsed])',
        'lapsed === undefined ? signal : AbortSignal.any([signal])',
      ],
      ['answer-after-the-lease-is-given', 'SQ-10', 'if (lapsed?.aborted === true) throw answeredTooLate(lapsed);', ''],
      [
        'answer-after-the-lease-is-billed',
        'SQ-10',
        'return lapsed?.aborted === true ? HELD : outcome;',
        'return outcome;',
      ],
    ],
  ),
];
