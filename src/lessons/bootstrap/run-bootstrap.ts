import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, type JsonValue } from '../../core/canonical-json.js';
import { EVALUATOR_VERSION, RULE_VERSION } from '../lessons.js';
import { PAPER_PROFILE } from '../threshold-profile.js';
import { EXPECTATIONS } from './expectations.js';
import { expiryFindings } from './expiry-findings.js';
import type { Findings } from './findings.js';
import { humanFindings } from './human-findings.js';
import { lineageFindings } from './lineage-findings.js';
import { retainedProjection, retrievalFindings } from './retrieval-findings.js';
import { verificationFindings } from './verification-findings.js';

const FINDINGS: readonly Findings[] = [
  verificationFindings,
  expiryFindings,
  humanFindings,
  retrievalFindings,
  lineageFindings,
];

/** What the evaluator makes of the fixture (LE-7), by the id of the finding. */
export function bootstrapFindings(): ReadonlyMap<string, JsonValue> {
  return new Map(FINDINGS.flatMap((group) => Object.entries(group).map(([id, find]) => [id, find()] as const)));
}

/**
 * The fixture's whole output: canonical JSON lines, one an assertion in the order of the expectations, then a summary (`lessons-bootstrap@1`). A
 * finding that nothing is expected of fails, as does an expectation without a finding.
 */
export function bootstrapOutput(findings: ReadonlyMap<string, JsonValue> = bootstrapFindings()): string {
  const ids = [...new Set([...Object.keys(EXPECTATIONS), ...findings.keys()])];
  const assertions = ids.map((assertion) => {
    const expected = EXPECTATIONS[assertion];
    const found = findings.get(assertion);
    const passes = expected !== undefined && isDeepStrictEqual(found, expected);
    return { assertion, expected: expected ?? null, found: found ?? null, passes };
  });
  const summary = {
    format: 'lessons-bootstrap@1',
    evaluator: EVALUATOR_VERSION,
    rules: RULE_VERSION,
    profile: PAPER_PROFILE,
    assertions: assertions.length,
    all_assertions_pass: assertions.every(({ passes }) => passes),
    projection_sha256: retainedProjection().digest,
  };
  return [...assertions, summary].map((line) => `${canonicalJson(line)}\n`).join('');
}
