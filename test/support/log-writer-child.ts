// Adds evaluation events to a log, one a time, each under the log's lock; says the day of each once it is durable. Begins when its input ends.
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/core/clock.js';
import { evaluation } from '../../src/lessons/bootstrap/sample-events.js';
import { withLessonLog } from '../../src/lessons/log.js';

const { folder, from, to } = JSON.parse(process.argv[2] as string) as { folder: string; from: number; to: number };
const world = { clock: systemClock, signal: new AbortController().signal };
writeSync(1, 'ready\n');
for await (const _ of process.stdin);
for (let day = from; day < to; day += 1) {
  await withLessonLog(folder, world, (log) => log.append([evaluation(day)]));
  writeSync(1, `${day}\n`);
}
