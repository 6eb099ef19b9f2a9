import { canonicalJson } from '../../core/canonical-json.js';
import { type Digest, digestText } from '../../core/digest.js';
import { internalFault } from '../../core/errors.js';
import { bootstrapFindings, bootstrapOutput } from './run-bootstrap.js';

/** What `lessons verify` says (`lessons-verify@1`): without times and paths, so that it is the same everywhere. */
export interface Verification {
  readonly format: 'lessons-verify@1';
  readonly assertions: number;
  /** In both processes. */
  readonly all_assertions_pass: boolean;
  readonly stdout_sha256: readonly [Digest, Digest];
  /** Of what retrieval may read after the fixture's story, as the first process found it. */
  readonly projection_sha256: Digest;
}

/** A verification, and every difference, in words; none where all is as expected. */
export interface VerificationResult {
  readonly verification: Verification;
  readonly differences: readonly string[];
}

interface Assertion {
  readonly assertion: string;
  readonly expected: unknown;
  readonly found: unknown;
  readonly passes: boolean;
}
interface Summary {
  readonly format: string;
  readonly assertions: number;
  readonly all_assertions_pass: boolean;
  readonly projection_sha256: Digest;
}

/**
 * Compares what two processes printed of the bootstrap fixture (LE-7): their bytes, their assertions and their projections.
 *
 * @throws internal fault `LESSONS_BOOTSTRAP_BROKEN` where an output is none of the fixture.
 */
export function compareOutputs(outputs: readonly [string, string]): VerificationResult {
  const first = readOutput(outputs[0]);
  const second = readOutput(outputs[1]);
  const hashes = [digestText(outputs[0]), digestText(outputs[1])] as const;
  const failures = new Set([first, second].flatMap(({ assertions }) => assertions.filter(fails).map(inWords)));
  const differences = [...failures];
  if (hashes[0] !== hashes[1]) differences.push(`two processes gave different bytes: ${hashes.join(' and ')}`);
  const { assertions, projection_sha256 } = first.summary;
  const all_assertions_pass =
    [first, second].every(({ summary }) => summary.all_assertions_pass) && failures.size === 0;
  return {
    verification: {
      format: 'lessons-verify@1',
      assertions,
      all_assertions_pass,
      stdout_sha256: hashes,
      projection_sha256,
    },
    differences,
  };
}

/** One output and whether all of its assertions pass. */
export function bootstrapRun(): { readonly output: string; readonly passes: boolean } {
  const output = bootstrapOutput(bootstrapFindings());
  return { output, passes: readOutput(output).summary.all_assertions_pass };
}

const fails = ({ passes }: Assertion): boolean => !passes;
const inWords = ({ assertion, expected, found }: Assertion): string =>
  `${assertion}: expected ${canonicalJson(expected)}, found ${canonicalJson(found)}`;

function readOutput(output: string): { readonly assertions: readonly Assertion[]; readonly summary: Summary } {
  try {
    const lines = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const summary = lines.pop() as Summary;
    const assertions = lines as Assertion[];
    if (summary.format === 'lessons-bootstrap@1' && summary.assertions === assertions.length)
      return { assertions, summary };
  } catch {
    // Said below.
  }
  throw internalFault(
    'LESSONS_BOOTSTRAP_BROKEN',
    'a process that was to run the bootstrap fixture printed something else',
  );
}
