import { describe, expect, it } from 'vitest';
import { SAMPLE_DIGEST } from '../../../test/support/observation-samples.js';
import type { BankIdentity } from '../../bank/bank.js';
import type { BankDescription, RunPlan, VectorBankDescription } from '../../experiment/experiment.js';
import type { LedgerReport } from '../../ledger/read-ledger.js';
import { showNanoUsd } from '../money-text.js';
import { showScore } from '../number-text.js';
import { showBank, showBankList, showVectorBank } from './bank-table.js';
import { ledgerDocument, showLedger } from './ledger-table.js';
import { showPlan } from './plan-table.js';
import { plainTable } from './table.js';

const identity: BankIdentity = {
  corpus: SAMPLE_DIGEST,
  owner: { tenant: 'lab', principal: 'ann' },
  policy: 'facts@1',
  persistence: 'supersede',
  implementation: SAMPLE_DIGEST,
  replicate: 1,
  profile: {
    kind: 'local',
    wire_api: 'in-process',
    endpoint: 'local',
    model: 'extractive-facts-1',
    parameters: { max_output_tokens: 100, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
  },
} as BankIdentity;

const bank: BankDescription = {
  format: 'bank-description@1',
  path: '/banks/harbour-0123456789ab.bank.json',
  digest: SAMPLE_DIGEST,
  bytes: 4096,
  identity,
  calls: 12,
  attempts: 13,
  usage: null,
  attributed_nano_usd: null,
  reported_models: [],
  state: { digest: SAMPLE_DIGEST, beliefs: 40, people: 3 },
  continues: null,
  recorded_at: '2026-01-01T00:00:00.000Z',
};

const vectorBank: VectorBankDescription = {
  format: 'vector-bank-description@1',
  path: '/banks/harbour-beliefs-0123456789ab.vectors.bin',
  digest: SAMPLE_DIGEST,
  bytes: 999,
  identity: {
    unit: 'beliefs',
    source: SAMPLE_DIGEST,
    embedding: { kind: 'local', endpoint: 'in-process', model: 'use-lite-512', dimensions: 512 },
    implementation: 'weights@1',
    pricing: SAMPLE_DIGEST,
    texts: SAMPLE_DIGEST,
  },
  items: 90,
  queries: 12,
  usage: { input_uncached: 700, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 },
  query_usage: null,
  attributed_nano_usd: null,
  reported_models: ['use-lite-512'],
};

describe('FB-15 banks as people read them', () => {
  it('FB-15 one bank: identity, calls and attempts, state; unknown usage and price are not zeroes', () => {
    const shown = showBank(bank);
    for (const text of [SAMPLE_DIGEST, '12 in 13 attempts', 'lab / ann', 'facts@1, supersede', '40 beliefs, 3 people'])
      expect(shown).toContain(text);
    expect(shown).toMatch(/usage +not known for every call/);
    expect(shown).toMatch(/attributed cost +unpriced/);
  });

  it('FB-15 a folder: completed, interrupted, failed and broken ones all stand there', () => {
    const pending = {
      path: '/banks/harbour.pending.jsonl',
      fixture: 'harbour',
      identity,
      reserved: 3,
      completed: 2,
      status: 'interrupted',
      reason: 'the disk \u001b[2J is full',
      header: {},
    } as const;
    const listing = {
      format: 'bank-list@1',
      path: '/banks',
      vector_banks: [],
      pending_vectors: [],
      pending: [pending],
      broken: [],
    } as const;
    const broken = [{ path: '/banks/x', code: 'BANK_MALFORMED', message: 'no' }];
    const failed = [{ ...pending, status: 'failed', reason: null } as const];
    const shown = showBankList({ ...listing, banks: [bank], failed, broken });
    expect(shown).toMatch(/harbour-0123456789ab\.bank\.json +1 +extractive-facts-1/);
    expect(shown).toContain(
      'interrupted: /banks/harbour.pending.jsonl (2 of 3 reserved calls completed): the disk \\u{1b}[2J is full',
    );
    expect(shown).toContain('failed: /banks/harbour.pending.jsonl (2 of 3 reserved calls completed)\n');
    expect(shown).toContain('broken: /banks/x: BANK_MALFORMED: no');
    expect(showBankList({ ...listing, banks: [], failed: [], broken: [] })).toMatch(/^no completed bank in \/banks\n/);
    const withVectors = showBankList({ ...listing, banks: [bank], failed, vector_banks: [vectorBank] });
    expect(withVectors).toMatch(/harbour-beliefs-0123456789ab\.vectors\.bin +use-lite-512 +512 +90 +12 +999$/);
  });
});

describe('VB-2 a vector bank as people read it', () => {
  it('VB-2 says of which texts, space, version and price it is, what it holds and what that took', () => {
    const shown = showVectorBank(vectorBank);
    for (const fact of [
      'beliefs of the state sha256:',
      'local, in-process, use-lite-512, 512 dimensions',
      'weights@1',
      '90; usage 700 input',
      '12; usage not known for every call',
      'unpriced',
      '(999 bytes)',
    ])
      expect(shown).toContain(fact);
    const turns = { ...vectorBank.identity, unit: 'turns' as const, implementation: null };
    expect(showVectorBank({ ...vectorBank, identity: turns })).toContain('turns of the corpus sha256:');
  });
});

describe('LG-6 a ledger as people and programs read it', () => {
  const sums = { spent_nano_usd: 40n, held_nano_usd: 100n, uncertain_nano_usd: 100n, calls: 40, sends: 2 };
  const attribution = { arm: null, stage: 'formation', fixture: 'harbour', unit: 's1' } as const;
  const report: LedgerReport = {
    path: '/runs/r/ledger.jsonl',
    run: 'r',
    opened_at: '2026-01-01T00:00:00.000Z',
    live: false,
    totals: {
      ...sums,
      limit_nano_usd: 500_000_000n,
      breached: true,
      by_arm_and_stage: [
        { arm: null, stage: 'formation', ...sums },
        { arm: 'bm25', stage: 'reader', ...sums },
      ],
    },
    entries: [],
    open: [],
    uncertain: [{ id: 'r2', amount_nano_usd: 100n, attribution, reason: 'usage-missing' }],
    torn_bytes: 0,
  } as unknown as LedgerReport;

  it('LG-6 sums by arm and stage, what all arms share by name, and each uncertain reservation with its reason', () => {
    const shown = showLedger(report);
    expect(shown).toContain('spent $0.00000004, held $0.0000001 (uncertain $0.0000001), 2 sends');
    expect(shown).toMatch(/\(shared\) +formation +2/);
    expect(shown).toMatch(/bm25 +reader +2/);
    expect(shown).toContain('uncertain r2: $0.0000001, (shared), formation, harbour, s1: usage-missing');
    expect(shown).toContain('BREACHED');
  });

  it('LG-12 a ledger without a send says so, and one that was not breached says nothing of it', () => {
    const quiet = { ...report, totals: { ...report.totals, breached: false, by_arm_and_stage: [] }, uncertain: [] };
    expect(showLedger(quiet)).toContain('nothing was sent');
    expect(showLedger(quiet)).not.toContain('BREACHED');
  });

  it('CL-4 the document has amounts as JSON integers', () => {
    expect(ledgerDocument(report)).toMatchObject({
      format: 'ledger-report@1',
      totals: { limit_nano_usd: 500_000_000, spent_nano_usd: 40 },
      uncertain: [{ amount_nano_usd: 100 }],
      lines: 0,
    });
  });
});

describe('MX-6 a plan as people read it', () => {
  const cost = { calls: 40, sends: 3, expected_nano_usd: 10, worst_nano_usd: 2_000_000_000 };
  const plan: RunPlan = {
    format: 'plan@1',
    matrix: SAMPLE_DIGEST,
    budget_nano_usd: 500_000_000,
    blocks: [
      {
        fixture: 'harbour',
        replicate: 1,
        corpus: SAMPLE_DIGEST,
        questions: 30,
        formation_calls: 12,
        bank: 'record',
        digest: null,
        nearest: [{ digest: SAMPLE_DIGEST, differs: ['implementation'] }],
        vectors: [
          { unit: 'beliefs', action: 'record', digest: null, kept: null, nearest: [] },
          { unit: 'turns', action: 'replay', digest: SAMPLE_DIGEST, kept: null, nearest: [] },
        ],
      },
    ],
    arms: [{ arm: 'bm25', ...cost }],
    formation: cost,
    index: cost,
    query: { ...cost, calls: 0, sends: 0 },
    reader: cost,
    judges: [{ judge: 'strict', ...cost }],
    judging: cost,
    total: { ...cost, expected_nano_usd: null },
    embedding: { sends: 0, questions: 0, ceilings: null, owners: [], admitted: 'yes' },
    sample: null,
    admitted_by_budget: 'not-the-worst-case',
    admitted: 'not-the-worst-case',
    notes: ['a small expected cost is no admission'],
  };

  it('MX-9 a sample is shown stratum by stratum', () => {
    const strata = [{ fixture: 'harbour', category: 'temporal', drawn: 2, of: 9 }];
    const shown = showPlan({ ...plan, sample: { size: 2, seed: 's', of: 9, strata } });
    expect(shown).toContain('a sample of 2 of 9 questions, seed s');
    expect(shown).toMatch(/harbour +temporal +2 +9/);
  });

  it('MX-6 expected and worst case apart, unpriced by name, the banks with what differs, and the admission in words', () => {
    const shown = showPlan(plan);
    expect(shown).toMatch(/^judge, strict +40 +3 /m);
    expect(shown).toMatch(/^vectors of items +40 +3 /m);
    expect(shown).not.toContain('vectors of questions');
    expect(shown).toMatch(
      /harbour +30 +12 +to be recorded; [0-9a-f]{12} differs in implementation +beliefs to be recorded, turns replay [0-9a-f]{12}\n/,
    );
    expect(shown).toMatch(/reader, bm25 +40 +3 +\$0\.00000001 +\$2\.00/);
    expect(shown).toMatch(/total +40 +3 +unpriced +\$2\.00/);
    expect(shown).toContain(
      'budget $0.50: THE BUDGET DOES NOT HOLD THE WORST CASE\na small expected cost is no admission',
    );
    expect(showPlan({ ...plan, admitted_by_budget: 'yes' })).toContain('the budget holds the worst case');
    expect(showPlan({ ...plan, admitted_by_budget: 'unknown' })).toContain('a price is missing');
  });
});

describe('RS-4, OB-2 tables', () => {
  it('RS-4 a cell cannot steer the terminal, break its row or push the rest away', () => {
    const table = plainTable(
      ['name', 'n'],
      [
        ['a\u001b[2J\nb', '1'],
        ['x'.repeat(500), '22'],
      ],
      [1],
    );
    const [, first, second] = table.split('\n');
    expect(first).toMatch(/^a\\u\{1b\}\[2J b +1$/);
    expect(second?.length).toBeLessThan(130);
    expect(table.split('\n')).toHaveLength(3);
  });

  it('OB-2 null is unpriced, and 0 is $0.00; a score that does not apply is a dash, and 0 is 0.000', () => {
    expect([showNanoUsd(null), showNanoUsd(0)]).toEqual(['unpriced', '$0.00']);
    expect([showScore(null), showScore(undefined), showScore(0)]).toEqual(['–', '–', '0.000']);
  });
});
