import { z } from 'zod';
import { decodeCanonicalLine } from '../../bank/canonical-file.js';
import { readRegularFile } from '../../bank/regular-file.js';
import { canonicalJson, type JsonObject } from '../../core/canonical-json.js';
import { DIGEST_PATTERN, type Digest } from '../../core/digest.js';
import { bankRefused, internalFault, type RecallMatrixError } from '../../core/errors.js';
import type { ResolvedMatrix } from '../../matrix/matrix.js';
import { retrievalFactors } from '../arm-factors.js';
import type { Observation } from '../asking/observation.js';
import { type PastRow, pastRowOf } from './reproduction.js';

/** Digests of a question each: a bank has at most a few thousand. */
const EXPECTATION_LIMIT_BYTES = 67_108_864;

const digest = z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>;

const expectationSchema = z.strictObject({
  format: z.literal('bank-expectation@1'),
  bank: digest,
  server: z.string(),
  arms: z.array(
    z.strictObject({
      arm: z.string(),
      factors: z.record(z.string(), z.json()),
      load: digest,
      questions: z.array(
        z.strictObject({ question: z.string(), repeat: z.int().positive(), retrieval: digest, context: digest }),
      ),
    }),
  ),
});

/** What every arm of a matrix retrieves and is shown over one bank, by digest: the file beside a shipped bank (RP-1). */
export type Expectation = z.output<typeof expectationSchema>;
export type ExpectedArm = Expectation['arms'][number];

/** `<bank name>.expected.json`. */
export function expectationPath(bankPath: string): string {
  return bankPath.replace(/\.bank\.json$/, '.expected.json');
}

/**
 * Makes the expectation of one bank from a run over it.
 *
 * @param rows of all arms, in load order each.
 * @param server its version: it may order ties otherwise.
 * @throws internal fault `ROW_WITHOUT_CONTEXT`.
 */
export function expectationOf(
  bank: Digest,
  matrix: ResolvedMatrix,
  rows: readonly Observation[],
  server: string,
): Expectation {
  return {
    format: 'bank-expectation@1',
    bank,
    server,
    arms: matrix.arms.map((arm) => {
      const own = rows.filter((row) => row.arm === arm.name);
      const [first] = own;
      if (first === undefined) throw internalFault('ROW_WITHOUT_CONTEXT', `the arm ${arm.name} has no rows`);
      return {
        arm: arm.name,
        factors: retrievalFactors(matrix, arm) as ExpectedArm['factors'],
        load: first.load as Digest,
        questions: own.map((row) => {
          const { question, repeat, retrieval, context } = pastRowOf(row);
          if (context === null)
            throw internalFault('ROW_WITHOUT_CONTEXT', `${question} under ${arm.name} has no context`);
          return { question, repeat, retrieval, context };
        }),
      };
    }),
  };
}

/** Its file: canonical JSON and a line feed. */
export function expectationText(expectation: Expectation): string {
  return `${canonicalJson(expectation as unknown as JsonObject)}\n`;
}

/**
 * Reads the expectation beside a bank.
 *
 * @returns null where there is none.
 * @throws `EXPECTATION_BROKEN` (exit 5) where it is none, or of another bank.
 */
export async function readExpectation(bankPath: string, bank: Digest): Promise<Expectation | null> {
  const path = expectationPath(bankPath);
  const bytes = await readRegularFile(path, EXPECTATION_LIMIT_BYTES, (size) => broken(path, `it has ${size} bytes`));
  if (bytes === null) return null;
  const parsed = expectationSchema.safeParse(decodeCanonicalLine(bytes, (why) => broken(path, why)));
  if (!parsed.success) throw broken(path, parsed.error.issues[0]?.message ?? 'its form is wrong');
  if (parsed.data.bank !== bank) throw broken(path, `it is of the bank ${parsed.data.bank}`);
  return parsed.data;
}

/** An expected arm as past rows. */
export function pastRowsOf({ questions }: ExpectedArm): PastRow[] {
  return questions.map((question) => ({ ...question, row: null }));
}

function broken(path: string, why: string): RecallMatrixError {
  return bankRefused('EXPECTATION_BROKEN', `${path} does not say what its bank's arms retrieve: ${why}`, {
    remedy: 'restore it, move it away, or write it anew with recall-matrix bank expect',
  });
}
