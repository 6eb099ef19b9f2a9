import { type Mutant, mutantsOf } from './mutant.js';

const FIXTURE = ['src/lessons/bootstrap/run-bootstrap.test.ts'];
const EVALUATOR = ['src/lessons/evaluate.test.ts'];
const EVENTS = ['src/lessons/read-events.test.ts'];
const LOG = ['src/lessons/log.test.ts'];
const CHANGES = ['src/lessons/change-lesson.test.ts'];
const HARVEST = ['src/lessons/harvest/harvest-run.test.ts'];

/** Lessons: what is counted, what moves a state, what is shown and what is refused. */
export const lessonMutants: readonly Mutant[] = [
  ...mutantsOf('src/lessons/evidence.ts', FIXTURE, [
    [
      'run-counts-twice',
      'LE-2',
      'if (isNew && !this.#runs.has(trial.run)) this.#runs.set(trial.run, event);',
      'if (isNew) this.#runs.set(event, event);',
    ],
    [
      'stored-copy-counts',
      'LE-2',
      'const isNew = freshly_read || !this.#known.has(reading);',
      'const isNew = freshly_read || reading !== null;',
    ],
    [
      'fresh-reading-is-a-copy',
      'LE-2',
      'const isNew = freshly_read || !this.#known.has(reading);',
      'const isNew = !this.#known.has(reading);',
    ],
    ['injected-success-counts', 'LE-3', '|| injected ||', '||'],
    ['ineligible-success-counts', 'LE-3', 'if (!eligible || ', 'if ('],
    ['unrelated-success-counts', 'LE-3', '!related || ', ''],
    ['failed-exposure-counts', 'LE-3', " || outcome !== 'success'", ''],
    [
      'copy-of-an-earlier-success-counts',
      'LE-3',
      'const isNew = readings.admit(exposure.trial);',
      'const isNew = exposure.at <= firstObservedAt || readings.admit(exposure.trial);',
    ],
    ['success-at-the-failure-counts', 'LE-3', 'exposure.at > firstObservedAt', 'exposure.at >= firstObservedAt'],
    [
      'trial-counts-twice',
      'LE-3',
      'if (!this.#byTrial.has(trial)) this.#byTrial.set(trial, { event, exposure });',
      'this.#byTrial.set(event, { event, exposure });',
    ],
  ]),
  ...mutantsOf('src/lessons/evaluate.ts', FIXTURE, [
    ['age-boundary-left-out', 'LE-3', 'ageMs >= this.#profile', 'ageMs > this.#profile'],
    [
      'time-alone-expires',
      'LE-3',
      'if (counted.length >= this.#profile.unassisted_successes)',
      'if (counted.length >= 0)',
    ],
    ['expires-what-recurred', 'LE-3', '      !hasRecurred &&\n', '      hasRecurred !== null &&\n'],
    ['expires-what-a-guard-prevented', 'LE-3', 'dossier.preventions === 0', 'dossier.preventions >= 0'],
    [
      'verified-expires',
      'LE-3',
      "const CAN_EXPIRE: readonly LessonState[] = ['candidate', 'probationary'];",
      "const CAN_EXPIRE: readonly LessonState[] = ['candidate', 'probationary', 'verified'];",
    ],
    [
      'guard-evidence-once',
      'LE-2',
      'Math.min(before.length, after.length) >= this.#profile.guard_executions &&',
      'Math.max(before.length, after.length) >= this.#profile.guard_executions &&',
    ],
    [
      'guard-without-failure-before',
      'LE-2',
      "before.every((outcome) => outcome === 'fail')",
      "before.some((outcome) => outcome === 'fail')",
    ],
    [
      'refused-transition-is-passed-over',
      'LE-1',
      'if (this.#refused.length > 0) throw',
      'if (this.#refused.length > 9) throw',
    ],
    ['lineage-without-its-cause', 'LE-5', '        cause: digest,\n', '        cause: dossier.lesson,\n'],
  ]),
  ...mutantsOf('src/lessons/evaluate.ts', EVALUATOR, [
    [
      'enforced-is-verified-again',
      'LE-2',
      "readonly LessonState[] = ['candidate', 'probationary', 'expired'];",
      "readonly LessonState[] = ['candidate', 'probationary', 'expired', 'enforced'];",
    ],
  ]),
  ...mutantsOf('src/lessons/lesson-state.ts', FIXTURE, [
    ['candidate-is-enforced', 'LE-1', "enforced: ['verified'],", "enforced: ['verified', 'candidate'],"],
    ['compiled-is-enforced', 'LE-1', "enforced: ['verified'],", "enforced: ['verified', 'compiled'],"],
  ]),
  ...mutantsOf('src/lessons/lesson-event.ts', FIXTURE, [
    [
      'compiled-without-a-guard',
      'LE-4',
      "to !== 'compiled' || guard !== null",
      "to !== 'compiled' || guard !== undefined",
    ],
  ]),
  ...mutantsOf('src/lessons/lesson-event.ts', EVENTS, [
    [
      'import-without-its-mark',
      'LE-3',
      'z.literal(true).describe("this project\'s own',
      'z.literal(true).optional().describe("this project\'s own',
    ],
  ]),
  ...mutantsOf('src/lessons/fingerprint.ts', EVENTS, [
    [
      'wrong-answer-of-any-stage',
      'LE-2',
      '(stageOf(failure) ?? stage) === stage',
      '(stageOf(failure) ?? stage) !== null',
    ],
    [
      'error-code-of-a-wrong-answer',
      'LE-2',
      '(error_code === null) === (stageOf(failure) !== null)',
      'error_code !== null || stageOf(failure) !== null',
    ],
  ]),
  ...mutantsOf('src/lessons/left-open.ts', FIXTURE, [
    ['person-revokes', 'LE-1', "if (to === 'candidate' || to === 'expired')", "if (to === 'expired')"],
    ['left-open-as-any-fault', 'LE-1', 'if (asked !== undefined) return leftOpen(asked);', ''],
  ]),
  ...mutantsOf('src/lessons/visibility.ts', FIXTURE, [
    ['candidate-is-shown', 'LE-4', "candidate: 'quarantined'", "candidate: 'shown'"],
    ['expired-is-shown', 'LE-4', "expired: 'quarantined'", "expired: 'shown'"],
    ['compiled-is-shown', 'LE-4', "compiled: 'left-out'", "compiled: 'shown'"],
  ]),
  ...mutantsOf(
    'src/lessons/order-events.ts',
    ['test/property/lesson-order.test.ts'],
    [['order-of-the-files', 'LE-1', ' ||\n    compareText(a.digest, b.digest)', '']],
  ),
  ...mutantsOf('src/lessons/order-events.ts', EVALUATOR, [
    ['compiled-before-enforced', 'LE-1', '    compiledLast(a.event) - compiledLast(b.event) ||\n', ''],
    ['copy-before-its-reading', 'LE-2', '    storedLast(a.event) - storedLast(b.event) ||\n', ''],
  ]),
  ...mutantsOf('src/lessons/check-events.ts', EVALUATOR, [
    ['two-outcomes-of-a-trial', 'LE-1', '[TRIALS, EXPOSURES, OUTCOMES]', '[TRIALS, EXPOSURES]'],
    ['two-exposures-of-a-trial', 'LE-1', '[TRIALS, EXPOSURES, OUTCOMES]', '[TRIALS, OUTCOMES]'],
    ['recurrence-in-another-corpus', 'LE-2', 'event.trial.corpus !== corpus', 'event.trial.corpus === undefined'],
  ]),
  ...mutantsOf(
    'src/lessons/bootstrap/verification.ts',
    ['src/lessons/bootstrap/verification.test.ts'],
    [
      [
        'outputs-not-compared',
        'LE-7',
        'if (hashes[0] !== hashes[1]) differences',
        'if (hashes[0] === "sha256:") differences',
      ],
      [
        'second-process-not-looked-at',
        'LE-7',
        'const second = readOutput(outputs[1]);',
        'const second = readOutput(outputs[0]);',
      ],
    ],
  ),
  ...mutantsOf(
    'src/lessons/bootstrap/run-bootstrap.ts',
    ['src/lessons/bootstrap/verification.test.ts'],
    [
      [
        'unexpected-finding-passes',
        'LE-7',
        'expected !== undefined && isDeepStrictEqual(found, expected)',
        'expected === undefined || isDeepStrictEqual(found, expected)',
      ],
    ],
  ),
  ...mutantsOf('src/lessons/log.ts', LOG, [
    ['event-added-twice', 'LE-6', 'if (this.#known.has(digest) || added.has(digest))', 'if (added.has(digest))'],
    ['log-grows-beyond-reading', 'LE-6', 'if (size > this.mostBytes)', 'if (size < 0)'],
    ['byte-that-is-no-text-is-read', 'LE-6', 'if (!isUtf8(whole)) throw noText(path, whole);', ''],
    [
      'unreadable-log-is-a-bug',
      'LE-6',
      'if (cause instanceof RecallMatrixError) throw cause;',
      'if (path !== "") throw cause;',
    ],
    [
      'crash-leaves-no-story',
      'LE-6',
      '.map(([digest, event]) => ({ digest, event })).sort(compareEvents);',
      '.map(([digest, event]) => ({ digest, event }));',
    ],
    ['torn-end-is-read', 'LE-6', 'bytes.lastIndexOf(0x0a) + 1', 'bytes.length'],
    ['torn-end-is-not-cut', 'LE-6', 'if (tornBytes > 0) await handle.truncate(size - tornBytes);', ''],
  ]),
  ...mutantsOf('src/lessons/log-lock.ts', LOG, [
    [
      'writer-does-not-wait',
      'LE-6',
      'if (!isHeld || clock.monotonicMs() >= deadline) throw error;',
      'if (isHeld || clock.monotonicMs() >= deadline) throw error;',
    ],
  ]),
  ...mutantsOf('src/lessons/add-events.ts', CHANGES, [
    ['refused-event-in-the-log', 'LE-1', 'evaluateLessons([...log.events, ...events])', 'evaluateLessons(log.events)'],
    [
      'event-that-is-none-is-written',
      'LE-6',
      'if (parsed.success) return;',
      "if (parsed.success || event.kind !== 'human-transition') return;",
    ],
  ]),
  ...mutantsOf(
    'src/lessons/describe-lessons.ts',
    ['src/lessons/load-profile.test.ts'],
    [
      ['profile-is-not-used', 'LE-5', 'evaluateLessons(events, profile)', 'evaluateLessons(events)'],
      ['profile-of-a-time-is-not-used', 'LE-5', 'replayLessons(events, at, profile)', 'replayLessons(events, at)'],
    ],
  ),
  ...mutantsOf(
    'src/lessons/causes.ts',
    ['src/report/tables/lessons-table.test.ts'],
    [
      ['present-is-no-cause', 'LE-5', '[...evidence, cause]', '[...evidence]'],
      ['cause-alone-is-shown', 'LE-5', '[...evidence, cause]', '[cause]'],
    ],
  ),
  ...mutantsOf(
    'src/lessons/threshold-profile.ts',
    ['src/lessons/load-profile.test.ts'],
    [
      ['profile-says-that-it-is-calibrated', 'LE-5', 'z.literal(false).describe', 'z.boolean().describe'],
      ['one-failure-recurs', 'LE-2', 'z.int().min(2).describe', 'z.int().min(1).describe'],
    ],
  ),
  ...mutantsOf(
    'src/cli/verbs/lessons-log.ts',
    ['src/cli/verbs/lessons-log.test.ts'],
    [
      ['day-that-is-on-no-calendar', 'LE-3', 'form !== null && isCivilTime(`${form[1]}T00:00:00`)', 'form !== null'],
      ['year-of-five-digits', 'LE-3', 'if (instant === null || !/^\\d{4}-/.test(instant))', 'if (instant === null)'],
    ],
  ),
  ...mutantsOf('src/lessons/find-lesson.ts', CHANGES, [
    ['first-of-several-lessons', 'LE-6', 'if (found.length === 1) return one;', 'return one;'],
  ]),
  ...mutantsOf(
    'src/lessons/question-scope.ts',
    ['src/lessons/question-scope.test.ts'],
    [['subjects-as-they-come', 'LE-6', '.sort(compareText)', '']],
  ),
  ...mutantsOf('src/lessons/harvest/trial-result.ts', HARVEST, [
    ['answer-of-another-system-is-a-success', 'LE-3', ' && !isGiven(row)', ''],
    ['local-reading-is-fresh', 'LE-2', 'actual.calls > 0', 'actual.calls >= 0'],
    ['oracle-teaches', 'LE-6', "if (row.oracle) return 'oracle';", ''],
    [
      'lost-row-teaches',
      'LE-6',
      "outcome.kind === 'failed' && outcome.cause?.own_making !== true",
      "outcome.kind === 'skipped'",
    ],
    [
      'no-retrieval-teaches',
      'LE-6',
      "row.strategy === 'none' && row.miss?.cause",
      "row.strategy === 'file' && row.miss?.cause",
    ],
  ]),
  ...mutantsOf('src/lessons/harvest/open-lessons.ts', HARVEST, [
    ['lesson-of-the-future-is-met', 'LE-6', ' && event.at <= at) this.open', ') this.open'],
  ]),
  ...mutantsOf('src/lessons/harvest/exposures.ts', HARVEST, [
    ['refused-question-is-a-trial', 'LE-6', 'if (!result.was_asked) return [];', ''],
    ['later-stage-had-a-say', 'LE-3', ' && reached(result, fingerprint)', ''],
    ['right-without-retrieval-counts', 'LE-3', "return strategy !== 'none' || error_code !== null;", 'return true;'],
    ['turns-meet-formation', 'LE-3', "return unit === 'beliefs';", 'return true;'],
    [
      'another-strategy-is-met',
      'LE-3',
      'fingerprint.strategy === null || fingerprint.strategy === strategy',
      'strategy !== null',
    ],
    ['injected-is-not-told', 'LE-3', 'injected: result.injected.includes(lesson),', 'injected: false,'],
  ]),
  ...mutantsOf('src/lessons/harvest/harvest-run.ts', HARVEST, [
    ['trial-told-otherwise', 'LE-6', ' && (this.#told.get(place) ?? telling) === telling', ''],
    ['trial-told-twice', 'LE-6', '!this.#seen.has(place) && ', ''],
    ['later-runs-not-named', 'LE-6', 'event.at > at && opened.has', 'event.at < at && opened.has'],
  ]),
];
