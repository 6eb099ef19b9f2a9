import { join } from 'node:path';
import { manualClock } from '../../src/core/clock.js';
import type { SessionOptions } from '../../src/experiment/open-session.js';
import { lessonBook } from '../../src/lessons/injection/lesson-book.js';
import { testServerUrl } from './postgres.js';

/** What a verb would be told, for experiments that run in the test's own process, on the test run's server. */
export function sessionOptions(folder: string, changes: Partial<SessionOptions> = {}): SessionOptions {
  return {
    out: join(folder, 'runs'),
    defaultOut: join(folder, 'runs'),
    overrides: {},
    databaseUrl: testServerUrl(),
    recorder_wait_ms: 0,
    lessons: lessonBook(join(folder, 'lessons'), false),
    environment: {},
    clock: manualClock(),
    signal: new AbortController().signal,
    progress: () => {},
    onFolder: () => {},
    ...changes,
  };
}
