import { type Mutant, mutantsOf } from './mutant.js';

const REPLAY = ['src/bank/replaying-provider.test.ts', 'src/bank/replay.test.ts', 'test/regressions/banks.test.ts'];
const RECORDING = ['src/bank/recording.test.ts', 'src/bank/attempts.test.ts', 'src/bank/recorded-secrets.test.ts'];
const CONTINUING = ['src/bank/continue-recording.test.ts'];
const BYTES = ['test/property/bank-bytes.test.ts', 'src/bank/bank-folder.test.ts', 'src/bank/recording.test.ts'];

/** Formation banks: replay, identity, bytes, recording, secrets. */
export const bankMutants: readonly Mutant[] = [
  ...mutantsOf('src/bank/replaying-provider.ts', REPLAY, [
    ['replay-takes-changed-request', 'FB-5', 'if (changed.length > 0) throw', 'if (changed.length > 99) throw'],
    [
      'replay-forgets-missing-request',
      'FB-5 R-24',
      '    if (call === undefined) return;\n',
      '    if (this.#next >= 0) return;\n',
    ],
    [
      'replay-answers-additional-request',
      'FB-5',
      'const call = this.#bank.calls[this.#next];\n    if (call === undefined) throw',
      'const call = this.#bank.calls[this.#next] ?? this.#bank.calls.at(-1);\n    if (call === undefined) throw',
    ],
    [
      'replay-matches-by-content',
      'FB-6 R-16',
      'const call = this.#bank.calls[this.#next];\n    if (call === undefined) throw',
      'const call =\n      this.#bank.calls.find((one) => changedParts(one, request).length === 0) ?? this.#bank.calls[this.#next];\n    if (call === undefined) throw',
    ],
    ['replay-hides-the-first-failure', 'FB-5 R-18', 'if (failure !== null) throw failure;', ''],
    ['replay-recovers-from-a-refusal', 'FB-5', 'this.#refusal ??= error;', ''],
  ]),
  ...mutantsOf(
    'src/bank/request-identity.ts',
    ['test/property/request-identity.test.ts', ...REPLAY],
    [
      [
        'exclusion-list-longer',
        'FB-3',
        "  ['model', 'credential_ref'],\n",
        "  ['model', 'credential_ref'],\n  ['parameters', 'temperature'],\n",
      ],
      ['exclusion-list-without-time', 'FB-3', "  ['model', 'resolved_at'],\n", ''],
      ['exclusion-list-without-credential', 'FB-3', "  ['model', 'credential_ref'],\n", ''],
      [
        'metadata-not-bound',
        'FB-3',
        'return [...changed, ...changedKeys(expected.metadata, found.metadata).map((key) => `metadata.${key}`)];',
        'return changed;',
      ],
      [
        'unnamed-fields-not-bound',
        'FB-3',
        "if (changed.length === 0 && expected.digest !== found.digest) changed.push('other fields');",
        '',
      ],
      [
        'schema-not-bound',
        'FB-3 FB-5',
        "if (expected.parts.schema !== found.parts.schema) changed.push('schema');",
        '',
      ],
    ],
  ),
  ...mutantsOf('src/bank/bank-format.ts', BYTES, [
    ['bank-digest-not-checked', 'FB-14', 'if (computed !== digest) {', "if (computed === ('' as string)) {"],
    [
      'bank-size-not-bounded',
      'FB-8',
      'if (bytes > BANK_LIMITS.bytes) throw bankTooLarge(path, bytes);',
      'if (bytes > 2 * BANK_LIMITS.bytes) throw bankTooLarge(path, bytes);',
    ],
    [
      'bank-counts-not-checked',
      'FB-10',
      'if (bank.call_count !== bank.calls.length || bank.attempt_count !== sumOfAttempts(bank.calls)) {',
      'if (bank.call_count !== bank.calls.length) {',
    ],
    [
      'bank-name-not-checked',
      'FB-10',
      'if (name === null || name.digest12 !== shortDigest(bank.digest)) {',
      'if (name === null) {',
    ],
    [
      'bank-calls-not-bounded',
      'FB-8',
      'if (Array.isArray(calls) && calls.length > BANK_LIMITS.calls) throw',
      'if (Array.isArray(calls) && calls.length > 999) throw',
    ],
  ]),
  ...mutantsOf('src/bank/canonical-file.ts', BYTES, [
    [
      'bank-bytes-not-canonical',
      'FB-10',
      "if (!Buffer.from(`${again}\\n`, 'utf8').equals(bytes)) {",
      "if (again === '') {",
    ],
  ]),
  ...mutantsOf(
    'src/bank/state-file.ts',
    [
      'src/bank/bank-folder.test.ts',
      'src/bank/replay.test.ts',
      'src/bank/recording.test.ts',
      'test/property/bank-bytes.test.ts',
    ],
    [
      [
        'state-digest-not-checked',
        'ST-4',
        'if (computed !== bank.state.digest) {',
        "if (computed === ('' as string)) {",
      ],
    ],
  ),
  ...mutantsOf(
    'src/bank/bank-folder.ts',
    ['src/bank/bank-folder.test.ts', 'src/bank/recording.test.ts'],
    [
      ['ambiguous-bank-is-taken', 'FB-10', 'if (fitting.length > 1) throw', 'if (fitting.length > 9) throw'],
      [
        'pinned-bank-of-another-identity',
        'FB-2',
        "if (differs.length === 0) return { kind: 'found', file };",
        "if (differs.length >= 0) return { kind: 'found', file };",
      ],
      [
        'interrupted-recording-is-passed-over',
        'FB-9',
        "if (standingOf(content, this.#processes) !== 'failed') throw",
        "if (standingOf(content, this.#processes) === 'recording') throw",
      ],
    ],
  ),
  ...mutantsOf(
    'src/core/differing-paths.ts',
    ['src/bank/bank-folder.test.ts'],
    [
      [
        'identity-without-implementation',
        'FB-2 FB-12',
        'const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();',
        "const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort().filter((key) => key !== 'implementation');",
      ],
      [
        'identity-without-owner',
        'FB-2 FB-12',
        'const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();',
        "const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort().filter((key) => key !== 'principal');",
      ],
    ],
  ),
  ...mutantsOf('src/bank/recording.ts', RECORDING, [
    ['call-129-is-sent', 'FB-8', 'if (call > BANK_LIMITS.calls) throw', 'if (call > BANK_LIMITS.calls + 1) throw'],
    [
      'send-before-journal',
      'FB-9',
      "await this.#append({ kind: 'reserved', call, attempt, ...bound });",
      "void this.#append({ kind: 'reserved', call, attempt, ...bound });",
    ],
    [
      'answer-before-journal',
      'FB-9',
      "await this.#append({ kind: 'completed', call, attempt, completion: kept });",
      "void this.#append({ kind: 'completed', call, attempt, completion: kept });",
    ],
    ['secret-in-a-completion', 'FB-7', 'if (findings.length > 0) throw', 'if (findings.length > 99) throw'],
    [
      'seal-without-the-call-in-flight',
      'R-20',
      'if (this.#inFlight !== null) await Promise.allSettled([this.#inFlight]);',
      '',
    ],
  ]).map((mutant) =>
    mutant.requirement === 'R-20' ? { ...mutant, tests: [...RECORDING, 'test/regressions/banks.test.ts'] } : mutant,
  ),
  ...mutantsOf('src/bank/earlier-calls.ts', CONTINUING, [
    [
      'continue-takes-changed-request',
      'FB-9',
      'if (changed.length === 0) return taken;',
      'if (changed.length >= 0) return taken;',
    ],
    [
      'continue-forgets-calls-left',
      'FB-5 FB-9',
      'if (calls >= earlier.calls.length) return;',
      'if (calls >= 0) return;',
    ],
    [
      'continue-forgets-uncertain-attempt',
      'FB-9 FB-10',
      'return { calls, attempts_of_next: reserved?.attempt ?? cited };',
      'return { calls, attempts_of_next: cited };',
    ],
  ]),
  ...mutantsOf('src/bank/continue-recording.ts', CONTINUING, [
    [
      'continue-another-identity',
      'FB-9',
      'if (differs.length > 0 || basename(journal) !== basename(pendingPath(as.folder, as.fixture, as.identity))) {',
      'if (differs.length > 99) {',
    ],
    [
      'continue-beside-a-recorder',
      'FB-13',
      "if (standing === 'recording') throw",
      "if (standing === 'recording' && differs.length > 99) throw",
    ],
    ['continue-a-failed-recording', 'FB-11', "if (standing === 'failed') {", "if (standing === 'recording') {"],
    [
      'continue-without-a-claim',
      'FB-13',
      'await closeOnFailure(claimed, () =>\n      appendPending(claimed,',
      'await closeOnFailure(claimed, () =>\n      processes !== null ? Promise.resolve() : appendPending(claimed,',
    ],
  ]),
  ...mutantsOf(
    'src/bank/adopting-journal.ts',
    ['test/crash/bank-continue.test.ts', ...CONTINUING],
    [
      [
        'continue-loses-the-old-journal',
        'FB-9',
        'const kept = await keepInFailed(folder, path);',
        'const kept = path;',
      ],
      ['continue-loses-completions', 'FB-9', '...earlier.calls.map(takenOverLine)', ''],
    ],
  ),
  ...mutantsOf(
    'src/experiment/formation/await-recorder.ts',
    ['src/experiment/formation/await-recorder.test.ts'],
    [
      [
        'wait-without-end',
        'FB-13',
        'if (wait.clock.monotonicMs() >= deadline) throw',
        'if (wait.clock.monotonicMs() > deadline + 1e9) throw',
      ],
      [
        'record-after-a-failed-wait',
        'FB-13',
        "if (waited && lookup.kind === 'none') throw",
        "if (!waited && lookup.kind === 'none') throw",
      ],
    ],
  ),
  ...mutantsOf('src/bank/seal-recording.ts', RECORDING, [
    ['secret-in-the-state', 'FB-7', 'if (inState.length > 0) throw', 'if (inState.length > 99) throw'],
  ]),
  ...mutantsOf(
    'src/core/secret-scan.ts',
    ['src/bank/secret-scan.test.ts'],
    [
      [
        'secret-shapes-not-sought',
        'FB-7',
        'return [...findConfigured(text, secrets), ...(await findShapes(text))];',
        'return findConfigured(text, secrets);',
      ],
      [
        'configured-secrets-not-sought',
        'FB-7',
        'return [...findConfigured(text, secrets), ...(await findShapes(text))];',
        'return findShapes(text);',
      ],
      ['secrets-in-escapes-not-sought', 'FB-7', 'if (inner !== null) collect(inner, found, innerJson + 1);', ''],
    ],
  ),
  ...mutantsOf(
    'src/bank/kept-completion.ts',
    ['src/bank/recording.test.ts', 'test/regressions/banks.test.ts'],
    [
      [
        'unknown-fields-are-kept',
        'FB-7',
        'return {\n    output,',
        'return {\n    ...(completion as object),\n    output,',
      ],
    ],
  ),
  ...mutantsOf('src/bank/attempts.ts', RECORDING, [
    [
      'unsupported-completion-is-banked',
      'FB-11',
      'if (reason === null) return { completion, attempt };',
      'if (reason === null || attempt > 0) return { completion, attempt };',
    ],
    [
      'one-attempt-too-many',
      'FB-11',
      'if (attempt >= attempts) throw new UnsupportedCompletion',
      'if (attempt > attempts) throw new UnsupportedCompletion',
    ],
  ]),
  ...mutantsOf(
    'src/provider/supported-completion.ts',
    ['src/provider/supported-completion.test.ts'],
    [
      [
        'truncated-completion-is-supported',
        'FB-11',
        "if (completion.finish !== 'stop') return",
        "if (completion.finish !== 'stop' && completion.finish !== 'length') return",
      ],
      [
        'tool-call-is-supported',
        'FB-11',
        'if (completion.tool_calls > 0) return',
        'if (completion.tool_calls > 99) return',
      ],
      [
        'several-contents-are-supported',
        'FB-11',
        'if (completion.contents.length > 1) return',
        'if (completion.contents.length > 99) return',
      ],
      ['unstorable-text-is-supported', 'FB-11', 'if (inText !== null) return `holds ${inText}`;', ''],
      ['broken-schema-is-supported', 'FB-11', 'return schemaBreach(request, scan.value);', 'return null;'],
    ],
  ),
  ...mutantsOf(
    'src/core/durable-files.ts',
    ['src/core/durable-files.test.ts'],
    [
      [
        'file-replaces-another',
        'FB-10',
        'await link(aside, path);',
        "await (await import('node:fs/promises')).copyFile(aside, path);",
      ],
      [
        'file-readable-by-others',
        'FB-10',
        'export const PRIVATE_FILE_MODE = 0o600;',
        'export const PRIVATE_FILE_MODE = 0o644;',
      ],
      ['size-after-reading', 'FB-8', 'if (size > limitBytes) throw tooLarge(size);', ''],
      ['folder-that-cannot-be-is-made', 'RS-3', 'if (still !== null) throw still;', ''],
    ],
  ),
  ...mutantsOf(
    'src/experiment/formation/recording-commands.ts',
    ['src/experiment/formation/recording-commands.test.ts'],
    [
      [
        'what-goes-on-with-it-is-not-named',
        'FB-9',
        "return kind === 'interrupted' || kind === 'budget' || kind === 'database';",
        "return kind === 'interrupted';",
      ],
    ],
  ),
  ...mutantsOf(
    'src/bank/bank-folder.ts',
    ['src/bank/continue-recording.test.ts'],
    [
      [
        'continued-journal-is-a-failed-one',
        'FB-9',
        "endOf(content)?.kind === 'continued' ? 'continued' : 'failed'",
        "endOf(content)?.kind === 'sealed' ? 'continued' : 'failed'",
      ],
    ],
  ),
];
