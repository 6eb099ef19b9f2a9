import { type Mutant, mutantsOf } from './mutant.js';

/** The ledger, prices and the meter. */
export const moneyMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/ledger/account.ts',
    ['src/ledger/account.test.ts', 'src/ledger/file-ledger.test.ts'],
    [
      [
        'admission-forgets-held',
        'LG-3',
        'if (this.#spent + this.#held + amount > this.#limit) {',
        'if (this.#spent + amount > this.#limit) {',
      ],
      [
        'admission-off-by-one',
        'LG-3',
        'if (this.#spent + this.#held + amount > this.#limit) {',
        'if (this.#spent + this.#held + amount >= this.#limit) {',
      ],
      [
        'breach-goes-on',
        'LG-9',
        "if (this.#breached) return problem('breached'",
        "if (this.#breached && amount < 0n) return problem('breached'",
      ],
      ['breach-books-the-reservation', 'LG-9', 'this.#spent += cost;', 'this.#spent += cost < amount ? cost : amount;'],
      [
        'hold-is-given-back',
        'LG-4 LG-6',
        'for (const sum of sums) sum.uncertain += amount;',
        'for (const sum of sums) sum.uncertain += amount;\n      this.#held -= amount;',
      ],
      ['limit-is-lowered', 'LG-10', 'if (from !== this.#limit || to <= from) {', 'if (from !== this.#limit) {'],
      ['unsent-release-is-a-send', 'LG-12', "if (event.kind === 'release' && !event.sent) sum.sends -= 1;", ''],
      ['an-arms-own-is-shared', 'LG-12', 'if (arm !== null) return [group];', "if (arm === '') return [group];"],
    ],
  ),
  ...mutantsOf(
    'src/ledger/journalled-ledger.ts',
    ['src/ledger/file-ledger.test.ts'],
    [
      [
        'reservation-not-durable',
        'LG-2',
        'await this.#store.write((others) => this.#decide(others, batch, booked));',
        'void this.#store.write((others) => this.#decide(others, batch, booked));',
      ],
      [
        'open-after-crash-is-released',
        'LG-6',
        "{ kind: 'hold', id, reason: OPEN_WHEN_RESUMED }",
        "{ kind: 'release', id, sent: true, reason: OPEN_WHEN_RESUMED }",
      ],
      ['in-process-call-in-journal', 'LG-7 LG-12', 'if (!request.is_send) return this.#admitInProcess(request);', ''],
    ],
  ),
  ...mutantsOf(
    'src/ledger/refusals.ts',
    ['src/ledger/file-ledger.test.ts'],
    [
      [
        'limit-raised-without-amendment',
        'LG-10',
        'if (limit === journalled || (limit > journalled && amendLimit === true)) return;',
        'if (limit >= journalled) return;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/ledger/file-ledger.ts',
    ['src/ledger/file-ledger.test.ts'],
    [['ledger-of-another-run', 'LG-1', 'if (opening.run !== run) {', "if (opening.run === '') {"]],
  ),
  ...mutantsOf(
    'src/ledger/postgres/postgres-store.ts',
    ['src/ledger/postgres/postgres-ledger.test.ts'],
    [
      ['admission-without-the-row-lock', 'LG-3 R-25', 'where run = $1 for update', 'where run = $1'],
      [
        'lines-of-others-not-booked',
        'LG-3 LG-11',
        'const others = last > this.#seen ? await this.#linesAfter(this.#seen) : [];',
        'const others: LedgerLine[] = [];',
      ],
    ],
  ),
  ...mutantsOf(
    'src/ledger/postgres/postgres-ledger.ts',
    ['src/ledger/postgres/postgres-ledger.test.ts'],
    [
      ['resume-beside-a-live-session', 'LG-1 R-25', "mode === 'join' || first === undefined", "mode !== 'create'"],
      [
        'open-reservations-of-the-living-are-held',
        'LG-6',
        'live.map(({ id }) => id),',
        'live.slice(live.length).map(({ id }) => id),',
      ],
    ],
  ),
  ...mutantsOf(
    'src/ledger/postgres/stored-lines.ts',
    ['src/ledger/postgres/postgres-ledger.test.ts'],
    [['lines-in-the-order-of-text', 'LG-6 R-41', 'order by l.number limit', 'order by position limit']],
  ),
  ...mutantsOf(
    'src/experiment/ledger-home.ts',
    ['test/end-to-end/ledger-homes.test.ts'],
    [
      [
        'ledger-on-a-server-that-does-not-sync',
        'LG-2 LG-11',
        'await refuseUnsynced(pool, shown);',
        'void refuseUnsynced.name;',
      ],
      [
        'journal-not-exported',
        'LG-11',
        'await exportLines(pool, folder).catch(',
        'await Promise.resolve(exportLines.name).catch(',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/run-result.ts',
    ['test/end-to-end/priced-failures.test.ts'],
    [
      [
        'resume-that-can-do-nothing-is-named',
        'LG-9 CL-3',
        "status === 'complete' || totals.breached ? null",
        "status === 'complete' ? null",
      ],
    ],
  ),
  ...mutantsOf(
    'src/ledger/money.ts',
    ['src/ledger/money.test.ts'],
    [
      [
        'cost-rounded-down',
        'LG-4',
        'return (numerator + denominator - 1n) / denominator;',
        'return numerator / denominator;',
      ],
      [
        'usd-finer-than-a-quantum',
        'LG-4',
        "if (use === 'amount' && decimal.decimals > NANO_DECIMALS)",
        "if (use === 'amount' && decimal.decimals > 99)",
      ],
    ],
  ),
  ...mutantsOf(
    'src/provider/prices.ts',
    ['src/provider/prices.test.ts'],
    [
      [
        'tier-of-uncached-input',
        'LG-8',
        'tiersUpTo(price, BigInt(totalInput(usage)))',
        'tiersUpTo(price, BigInt(usage.input_uncached))',
      ],
      ['worst-case-at-first-tier', 'LG-2 R-33', 'if (cost > worst) worst = cost;', 'if (worst === 0n) worst = cost;'],
      [
        'worst-case-without-overhead',
        'LG-2',
        'const input = BigInt(bodyBytes) + BigInt(overheadTokens);',
        'const input = BigInt(bodyBytes);',
      ],
      [
        'worst-case-with-cache-discount',
        'LG-2',
        'b.numerator * a.denominator > a.numerator * b.denominator',
        'b.numerator * a.denominator < a.numerator * b.denominator',
      ],
    ],
  ),
  ...mutantsOf(
    'src/provider/usage.ts',
    ['src/provider/metered.test.ts', 'test/regressions/money.test.ts'],
    [
      [
        'zero-usage-beside-content',
        'LG-4',
        'if (hasContent && usage.output === 0)',
        'if (hasContent && usage.output < 0)',
      ],
      [
        'reasoning-above-output',
        'LG-4',
        'if (usage.reasoning > usage.output)',
        'if (usage.reasoning > usage.output + 1e9)',
      ],
      ['usage-that-is-no-number', 'LG-4 R-31', 'if (!Number.isSafeInteger(tokens) || tokens < 0)', 'if (tokens < 0)'],
    ],
  ),
  ...mutantsOf(
    'src/provider/metered.ts',
    ['src/provider/metered.test.ts'],
    [
      [
        'sent-before-reserved',
        'LG-1 LG-2',
        'const reservation = await this.#ledger.reserve({',
        'const early = prepared.send(signal);\n    early.catch(() => {});\n    const reservation = await this.#ledger.reserve({',
      ],
      [
        'unknown-usage-is-free',
        'LG-4',
        "await this.#ledger.hold(reservation, problem ?? 'usage-impossible');",
        'await this.#ledger.settle(reservation, 0n);',
      ],
      [
        'unknown-bill-is-released',
        'LG-5',
        "if (billing === 'unknown') return this.#hold(reservation, reason);",
        "if (billing === 'unknown') return this.#release(reservation, reason, true);",
      ],
      [
        'server-error-is-released',
        'LG-5',
        'status === null || (status >= 400 && status < 500 && status !== 408)',
        'status === null || (status >= 400 && status !== 408)',
      ],
      [
        'timeout-is-released',
        'LG-5',
        'status === null || (status >= 400 && status < 500 && status !== 408)',
        'status === null || (status >= 400 && status < 500)',
      ],
      [
        'unexpected-error-is-released',
        'LG-5',
        "return this.#hold(reservation, 'unexpected-error');",
        "return this.#release(reservation, 'unexpected-error', true);",
      ],
      [
        'unpriced-model-is-sent',
        'LG-8 R-26',
        'if (leavesProcess && options.price === null) {',
        'if (leavesProcess && options.price === undefined) {',
      ],
      [
        'price-of-another-model',
        'LG-8',
        'if (this.#price === null || this.#price.model === model) return;',
        'if (model !== undefined) return;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/provider/http/sdk-client.ts',
    ['src/provider/openai/sdk-wire.test.ts', 'src/provider/anthropic/sdk-wire.test.ts'],
    [['sdk-retries', 'LG-7', 'maxRetries: 0,', 'maxRetries: 2,']],
  ),
  ...mutantsOf(
    'src/provider/http/failures.ts',
    ['test/contract/completion-failures.test.ts'],
    [
      [
        'server-error-counts-as-unbilled',
        'LG-5',
        "if (status >= 500) return { reason: 'server-error', billing: 'unknown' };",
        "if (status >= 500) return { reason: 'server-error', billing: 'not-billed' };",
      ],
      [
        'retry-after-ignored',
        'PR-2',
        'retry_after_ms: retryAfterMs(retryAfter, facts.now_iso),',
        'retry_after_ms: null,',
      ],
      ['key-in-an-error', 'RS-4', '`: ${redact(words, facts.api_key)}`', '`: ${words}`'],
    ],
  ),
];
