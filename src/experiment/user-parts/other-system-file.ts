import { z } from 'zod';
import { type Digest, digestBytes } from '../../core/digest.js';
import { readBounded } from '../../core/durable-files.js';
import { InvalidInputErrors, invalidInput, messageOf, RecallMatrixError } from '../../core/errors.js';
import { Faults } from '../../fixture/faults.js';
import { type JsonLine, parseJsonLines } from '../../fixture/json-lines.js';
import { quantised } from '../../memory/recall/ranking.js';

const score = z.number().refine((value) => Number.isFinite(quantised(value)), 'expected a number that has millionths');

/** One line of a file of rankings or answers (RT-7; docs/other-systems.md). */
export const otherSystemLineSchema = z
  .strictObject({
    question: z.string().min(1).describe("the question's id"),
    fixture: z
      .string()
      .min(1)
      .optional()
      .describe('its fixture, where two fixtures of the matrix have a question of this id'),
    ranking: z
      .array(z.strictObject({ turn: z.string().min(1), score: score.optional() }))
      .max(1000)
      .optional()
      .describe('turns, best first; scores for all or for none, none above the one before it'),
    answer: z.string().max(100_000).optional().describe('scored as it is: the reader is not asked'),
    abstained: z.boolean().optional().describe('the other system did not answer'),
    failed: z.string().min(1).max(2000).optional().describe('why the other system has nothing for this question'),
  })
  .describe("One question's line in a file of another system's rankings or answers.");

export type OtherSystemLine = z.output<typeof otherSystemLineSchema>;

const MOST_BYTES = 268_435_456;

/**
 * Reads a file of another system's rankings or answers, and checks each line by itself.
 *
 * @param file absolute.
 * @param digest that the matrix binds: a file that was replaced since is refused.
 * @throws {InvalidInputErrors} every fault, with its line.
 */
export async function readOtherSystemFile(file: string, digest: Digest): Promise<readonly JsonLine<OtherSystemLine>[]> {
  const faults = new Faults();
  const lines = parseJsonLines(
    file,
    await textOf(file, digest),
    otherSystemLineSchema,
    faults,
    'docs/other-systems.md',
  );
  for (const line of lines) {
    const problem = problemOf(line.value);
    if (problem === null) continue;
    const location = { file, line: line.line, column: line.columnOf(problem.key) };
    faults.add('RANKING_LINE', problem.what, location, 'see docs/other-systems.md');
  }
  faults.throwIfAny();
  return lines;
}

function problemOf(line: OtherSystemLine): { readonly key: string; readonly what: string } | null {
  const { ranking, answer, abstained, failed } = line;
  const given = [ranking, answer ?? abstained].filter((value) => value !== undefined).length;
  if (failed !== undefined && given > 0)
    return { key: 'failed', what: 'a question that failed has neither a ranking nor an answer' };
  if (failed === undefined && given === 0)
    return { key: 'question', what: 'a question needs a ranking, an answer (or abstained), or failed' };
  if (abstained === false && answer === undefined)
    return { key: 'abstained', what: 'what was not abstained from needs an answer' };
  if (answer === '' && abstained !== true)
    return { key: 'answer', what: 'an empty answer: say `abstained` or `failed`' };
  return ranking === undefined ? null : rankingProblem(ranking);
}

function rankingProblem(ranking: NonNullable<OtherSystemLine['ranking']>): { key: string; what: string } | null {
  const seen = new Set<string>();
  const scored = ranking.filter(({ score }) => score !== undefined).length;
  if (scored !== 0 && scored !== ranking.length)
    return { key: 'ranking', what: 'scores for some turns and none for others' };
  for (const [index, { turn, score }] of ranking.entries()) {
    if (seen.has(turn)) return { key: 'ranking', what: `the turn ${turn} stands twice` };
    seen.add(turn);
    const before = ranking[index - 1]?.score;
    if (score !== undefined && before !== undefined && score > before)
      return {
        key: 'ranking',
        what: `the turn ${turn} has a higher score than the one before it: list the best first, or leave scores out`,
      };
  }
  return null;
}

async function textOf(file: string, digest: Digest): Promise<string> {
  const remedy = "name a file of JSON lines with another system's rankings or answers";
  const tooLarge = (bytes: number) =>
    invalidInput('RANKINGS_TOO_LARGE', `${file} has ${bytes} bytes; at most ${MOST_BYTES} are read`, {
      remedy,
      location: { file },
    });
  try {
    const bytes = await readBounded(file, MOST_BYTES, tooLarge);
    if (bytes === null) throw new Error('there is no such file');
    if (digestBytes(bytes) !== digest) throw new Error('it changed since the matrix was loaded');
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RecallMatrixError) throw error;
    throw new InvalidInputErrors([
      invalidInput('RANKINGS_UNREADABLE', `cannot read ${file}: ${messageOf(error)}`, { remedy, location: { file } }),
    ]);
  }
}
