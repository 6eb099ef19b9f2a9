// Evaluates event files in a process of its own: `lesson-child.ts FILE...`; prints the transitions, and the projection's digest.
import { readFileSync } from 'node:fs';
import { evaluateLessons, transitionLines } from '../../src/lessons/evaluate.js';
import { projectionOf } from '../../src/lessons/projection.js';
import { readLessonEvents } from '../../src/lessons/read-events.js';

const files = process.argv.slice(2).map((name) => ({ name, text: readFileSync(name, 'utf8') }));
const { transitions, lessons } = evaluateLessons(readLessonEvents(files));
process.stdout.write(`${transitionLines(transitions)}${projectionOf(lessons).digest}\n`);
