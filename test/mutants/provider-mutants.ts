import { type Mutant, mutantsOf } from './mutant.js';

const WIRE = ['test/wire-tables/wire-tables.test.ts'];
const ADAPTERS = ['test/contract/completion-adapters.test.ts'];

/** The APIs that are sent to, limits and retries. */
export const providerMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/provider/anthropic/messages-usage.ts',
    [...WIRE, 'src/provider/anthropic/messages.test.ts'],
    [
      [
        'cached-input-inside-input',
        'LG-8 R-28',
        'input_uncached: data.input_tokens,',
        'input_uncached: data.input_tokens - data.cache_read_input_tokens,',
      ],
      ['hour-long-writes-are-priced', 'LG-4', 'if (written.ephemeral_1h_input_tokens > 0) return null;', ''],
    ],
  ),
  ...mutantsOf('src/provider/openai/responses-usage.ts', WIRE, [
    [
      'cached-input-on-top',
      'LG-8 R-28',
      'input_uncached: input_tokens - cacheRead - cacheWrite,',
      'input_uncached: input_tokens,',
    ],
    ['usage-that-does-not-sum', 'LG-4 R-31', 'if (input_tokens + output_tokens !== total_tokens) return null;', ''],
  ]),
  ...mutantsOf(
    'src/provider/openai/responses-response.ts',
    ['src/provider/openai/responses.test.ts'],
    [
      [
        'commentary-is-an-answer',
        'FB-7',
        "item.type === 'message' && item.phase !== 'commentary'",
        "item.type === 'message'",
      ],
      ['refusal-is-a-stop', 'FB-11', "refused ? 'refusal' : calls > 0", 'calls > 0'],
    ],
  ),
  ...mutantsOf(
    'src/provider/anthropic/messages-response.ts',
    ['src/provider/anthropic/messages.test.ts'],
    [['server-tools-are-not-counted', 'FB-11', "type.endsWith('tool_use')", "type === 'tool_use'"]],
  ),
  ...mutantsOf(
    'src/provider/anthropic/output-schema.ts',
    ['src/provider/anthropic/messages.test.ts'],
    [['constraints-are-dropped', 'PR-1', 'else told.push(', 'else void (']],
  ),
  ...mutantsOf(
    'src/provider/http/sdk-client.ts',
    [...ADAPTERS, 'src/provider/anthropic/sdk-wire.test.ts'],
    [['sdk-headers-of-the-environment', 'RS-4', '.filter(([name]) => names.includes(name))', '']],
  ),
  ...mutantsOf('src/provider/http/http-completions.ts', ADAPTERS, [
    ['another-api-is-served', 'PR-1', 'wire_api !== this.api.wire_api || ', ''],
  ]),
  ...mutantsOf(
    'src/provider/openai/embeddings-response.ts',
    ['test/contract/embedding-adapters.test.ts'],
    [
      [
        'vectors-in-the-order-that-they-came',
        'PR-3',
        'const numbers = byIndex.get(index);',
        'const numbers = data[index]?.embedding;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/provider/retrying.ts',
    ['src/provider/retrying.test.ts'],
    [
      ['attempts-without-a-bound', 'PR-2', '|| failed >= rule.attempts', ''],
      ['interrupted-run-tries-again', 'CL-3', 'if (signal.aborted) throw stopped();', ''],
      ['budget-hides-the-failure', 'LG-3', "if (last !== null && kindOf(error) === 'budget') throw last;", ''],
    ],
  ),
  ...mutantsOf(
    'src/provider/retry-rule.ts',
    ['src/provider/retrying.test.ts'],
    [
      [
        'retry-after-without-a-bound',
        'PR-2',
        'failure.retry_after_ms <= rule.max_wait_ms ? failure.retry_after_ms : null',
        'failure.retry_after_ms',
      ],
      ['any-failure-is-tried-again', 'PR-2', 'if (kind === undefined || !rule.on.includes(kind)) return null;', ''],
    ],
  ),
  ...mutantsOf(
    'src/provider/http/retry-after.ts',
    ['src/provider/http/retry-after.test.ts'],
    [['long-wait-is-unreadable', 'PR-2', '/^\\d+(?:\\.\\d+)?$/', '/^\\d{1,9}(?:\\.\\d+)?$/']],
  ),
  ...mutantsOf(
    'src/provider/metered.ts',
    ['src/provider/metered.test.ts'],
    [
      [
        'lost-database-is-a-fault-of-this-program',
        'RS-3 CL-2',
        "kind: kindOf(cause) === 'database' ? 'database' : 'internal'",
        "kind: 'internal'",
      ],
    ],
  ),
  ...mutantsOf(
    'src/provider/refusals.ts',
    ['src/provider/refusals.test.ts'],
    [
      ['refused-key-is-sent-again', 'PR-3', 'if (failure !== undefined) throw failure;', ''],
      ['one-moderated-request-stops-all', 'PR-3', 'failure.status === 404)', 'Number(failure.status) >= 403)'],
      ['unknown-model-stops-its-alias', 'PR-3', 'error.status === 401 ? alias', 'Number(error.status) >= 401 ? alias'],
    ],
  ),
  ...mutantsOf(
    'src/provider/rate-limit.ts',
    ['src/provider/rate-limit.test.ts'],
    [
      ['requests-without-a-limit', 'PR-2', 'this.#begun.length >= requests', 'this.#begun.length < 0'],
      ['tokens-without-a-limit', 'PR-2', '|| used + tokens <= limit', '|| used >= 0'],
      ['queue-without-a-bound', 'PR-2', 'if (this.#waiting >= WAITING_CALLS)', 'if (this.#waiting < 0)'],
    ],
  ),
  ...mutantsOf(
    'src/provider/http/exchange.ts',
    ['test/contract/completion-failures.test.ts'],
    [
      [
        'blocked-port-is-held',
        'LG-5',
        'if (causes.some(({ message }) => message === BLOCKED_PORT))',
        'if (causes.length < 0)',
      ],
    ],
  ),
];
