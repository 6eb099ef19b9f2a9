import { describe, expect, it } from 'vitest';
import { EXPECTATIONS } from './expectations.js';

describe('the bootstrap fixture', async () => {
  const { bootstrapFindings } = await import('./run-bootstrap.js');
  const findings = bootstrapFindings();

  it.each(Object.entries(EXPECTATIONS))('LE-7 %s', (id, expected) => {
    expect(findings.get(id)).toEqual(expected);
  });

  it('LE-7 has 43 assertions or more, one for each finding', () => {
    expect(Object.keys(EXPECTATIONS).length).toBeGreaterThanOrEqual(43);
    expect([...findings.keys()].sort()).toEqual(Object.keys(EXPECTATIONS).sort());
  });
});
