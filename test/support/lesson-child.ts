// Evaluates event files in a process of its own: `lesson-child.ts FILE...`; prints the transitions.
import { readFileSync } from 'node:fs';
import { evaluateLessons, transitionLines } from '../../src/lessons/evaluate.js';
import { readLessonEvents } from '../../src/lessons/read-events.js';

const files = process.argv.slice(2).map((name) => ({ name, text: readFileSync(name, 'utf8') }));
process.stdout.write(transitionLines(evaluateLessons(readLessonEvents(files)).transitions));
