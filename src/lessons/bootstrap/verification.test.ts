import { expect, it } from 'vitest';
import { RecallMatrixError } from '../../core/errors.js';
import { bootstrapFindings, bootstrapOutput } from './run-bootstrap.js';
import { compareOutputs } from './verification.js';

const OUTPUT = bootstrapOutput();
const wrong = bootstrapOutput(new Map([...bootstrapFindings(), ['first-failure/state', 'verified']]));

it('LE-7 two equal outputs in which all assertions pass differ in nothing', () => {
  const { verification, differences } = compareOutputs([OUTPUT, OUTPUT]);
  expect(differences).toEqual([]);
  expect(verification.all_assertions_pass).toBe(true);
  expect(verification.assertions).toBe(OUTPUT.trimEnd().split('\n').length - 1);
});

it('LE-7 an assertion that fails in either process is told, once, and none passes as a whole', () => {
  const told = 'first-failure/state: expected "candidate", found "verified"';
  expect(compareOutputs([wrong, wrong]).differences).toEqual([told]);
  for (const outputs of [[wrong, OUTPUT] as const, [OUTPUT, wrong] as const]) {
    const { verification, differences } = compareOutputs(outputs);
    expect(verification.all_assertions_pass).toBe(false);
    expect(differences).toEqual([told, expect.stringContaining('two processes gave different bytes')]);
  }
});

it('LE-7 one byte is a difference', () => {
  const { verification, differences } = compareOutputs([OUTPUT, `${OUTPUT}\n`]);
  expect(verification.all_assertions_pass).toBe(true);
  expect(differences).toHaveLength(1);
});

it('LE-7 a finding that nothing is expected of, and an expectation without a finding, fail', () => {
  const findings = new Map(bootstrapFindings());
  findings.delete('guard/reproduced');
  findings.set('guard/unheard-of', 'x');
  const output = bootstrapOutput(findings);
  expect(compareOutputs([output, output]).differences).toEqual([
    'guard/reproduced: expected ["candidate>verified verified-by-guard"], found null',
    'guard/unheard-of: expected null, found "x"',
  ]);
});

it('LE-7 what is no output of the fixture is no verification', () => {
  for (const output of ['', 'x', '{}\n', OUTPUT.slice(OUTPUT.indexOf('\n') + 1)])
    expect(() => compareOutputs([OUTPUT, output])).toThrow(RecallMatrixError);
});
