import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BankFile } from '../../src/bank/bank.js';
import { openBankFolder } from '../../src/bank/bank-folder.js';
import { bankBytes, parseBank, sealBank } from '../../src/bank/bank-format.js';
import { parsePendingName } from '../../src/bank/bank-names.js';
import { readPendingJournal } from '../../src/bank/pending-journal.js';
import { boundModel, requestIdentity } from '../../src/bank/request-identity.js';
import { canonicalJson } from '../../src/core/canonical-json.js';
import { digestJson } from '../../src/core/digest.js';
import { RecallMatrixError } from '../../src/core/errors.js';
import { SAMPLE_IDENTITY, sampleRequest, sampleState, temporaryFolder } from '../support/bank-samples.js';

const request = sampleRequest('session_1', 'Rosa moved to Tuesday.');
const { state, ...sealed } = sampleState();
const bank = sealBank({
  identity: SAMPLE_IDENTITY,
  calls: [
    {
      request: requestIdentity(request),
      resolved: boundModel(request),
      reported_model: 'former-1',
      finish: 'stop',
      output: '{"beliefs":["é"]}',
      usage: { input_uncached: 9, cache_read: 0, cache_write: 0, output: 3, reasoning: 0 },
      attempts: 1,
    },
  ],
  state: sealed,
  recordedAt: '2026-01-01T00:00:00.000Z',
});
const bytes = bankBytes(bank);
const path = `/banks/harbour-${bank.digest.slice(7, 19)}.bank.json`;

function refusal(changed: Uint8Array): unknown {
  try {
    return parseBank(changed, path);
  } catch (error) {
    return error;
  }
}

function expectRefused(changed: Uint8Array): void {
  const error = refusal(changed);
  expect(error).toBeInstanceOf(RecallMatrixError);
  expect(error).toMatchObject({ kind: 'bank', code: expect.stringMatching(/^BANK_/), exitCode: 5 });
}

describe('the bytes of a bank', () => {
  test('FB-10 the unchanged bytes are read (positive control)', () => {
    expect(parseBank(bytes, path)).toEqual(bank);
    expect(state.format).toBe('belief-state@1');
  });

  test('FB-14 every byte, with one bit flipped, is refused', () => {
    for (let index = 0; index < bytes.length; index += 1) {
      for (const bit of [0x01, 0x20, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[index] = (changed[index] ?? 0) ^ bit;
        expectRefused(changed);
      }
    }
  });

  test('FB-14, RS-2 cut, grown, spliced and foreign bytes are refused with typed errors', () => {
    const edit = fc.record({
      at: fc.nat(bytes.length),
      remove: fc.nat(40),
      insert: fc.uint8Array({ maxLength: 40 }),
    });
    fc.assert(
      fc.property(edit, ({ at, remove, insert }) => {
        const changed = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
        if (!changed.equals(bytes)) expectRefused(changed);
      }),
      { numRuns: 1_000 },
    );
    for (let length = 0; length < bytes.length; length += 1) expectRefused(bytes.subarray(0, length));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expectRefused(Buffer.from(JSON.stringify(value)))),
      { numRuns: 300 },
    );
  });

  test('FB-14 a consistent bank with an unknown field, or of another spelling, is refused', () => {
    const spelled = [
      `${JSON.stringify(bank, null, 1)}\n`,
      `${bytes.toString()}\n`,
      bytes.toString().trimEnd(),
      `\ufeff${bytes}`,
    ];
    for (const text of spelled) expectRefused(Buffer.from(text));
    expectRefused(Buffer.from('['.repeat(200_000)));
  });
});

/** A bank that is consistent in itself: canonical, its digest right, its name of its digest. */
function forged(change: object): { bytes: Buffer; path: string } {
  const { digest: _old, ...content } = { ...bank, ...change };
  const digest = digestJson(content);
  return {
    bytes: Buffer.from(`${canonicalJson({ ...content, digest })}\n`),
    path: `/banks/harbour-${digest.slice(7, 19)}.bank.json`,
  };
}

describe('a forged bank, right in digest and name', () => {
  const [call] = bank.calls;
  test.each<[string, object]>([
    ['BANK_COUNTS_DIFFER', { call_count: 2 }],
    ['BANK_COUNTS_DIFFER', { attempt_count: 2 }],
    ['BANK_COUNTS_DIFFER', { calls: [] }],
    ['BANK_TOO_MANY_CALLS', { calls: Array.from({ length: 129 }, () => call), call_count: 129, attempt_count: 129 }],
    ['BANK_MALFORMED', { note: 'unknown' }],
    ['BANK_MALFORMED', { identity: { ...bank.identity, arm: 'bm25' } }],
    ['BANK_MALFORMED', { calls: [{ ...call, reasoning: 'kept' }] }],
    ['BANK_MALFORMED', { calls: [{ ...call, finish: 'length' }] }],
    ['BANK_MALFORMED', { calls: [{ ...call, usage: { ...call?.usage, output: -1 } }] }],
    ['BANK_MALFORMED', { calls: [{ ...call, resolved: { ...call?.resolved, credential_ref: 'KEY' } }] }],
    ['BANK_MALFORMED', { identity_algorithm: 'request-identity@2' }],
    ['BANK_MALFORMED', { format: 'formation-bank@2' }],
  ])('FB-8, FB-10, FB-14 is refused with %s (%o)', (code, change) => {
    const { bytes: forgedBytes, path: forgedPath } = forged(change);
    expect(() => parseBank(forgedBytes, forgedPath)).toThrow(expect.objectContaining({ code, exitCode: 5 }));
  });

  test('FB-8 more bytes than a bank may have are refused unread, and never sealed', () => {
    expect(() => parseBank(Buffer.alloc(8_388_609), path)).toThrow(expect.objectContaining({ code: 'BANK_TOO_LARGE' }));
    expect(() => parseBank(Buffer.alloc(8_388_608), path)).toThrow(
      expect.objectContaining({ code: 'BANK_NOT_CANONICAL' }),
    );
    const large = {
      ...bank,
      recordedAt: bank.recorded_at,
      calls: [{ ...bank.calls[0]!, output: 'x'.repeat(8_388_608) }],
    };
    expect(() => sealBank(large)).toThrow(expect.objectContaining({ code: 'BANK_TOO_LARGE' }));
  });

  test('FB-10 another instant makes another bank, which is read (positive control)', () => {
    const other = forged({ recorded_at: '2026-01-02T00:00:00.000Z' });
    expect(parseBank(other.bytes, other.path)).toMatchObject({ recorded_at: '2026-01-02T00:00:00.000Z' });
    expect(() => parseBank(other.bytes, path)).toThrow(expect.objectContaining({ code: 'BANK_NAME_DIFFERS' }));
  });
});

describe('hostile files in a bank folder', () => {
  let file: BankFile;
  beforeAll(() => {
    file = { path, bytes: bytes.length, bank };
  });

  test('RS-2 mutated journals give typed errors or a reading, never a crash', async () => {
    const folder = await temporaryFolder();
    const journal = join(folder, 'harbour-0123456789ab.pending.jsonl');
    expect(parsePendingName(journal)).not.toBeNull();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.constant(bytes.toString())), async (content) => {
        await writeFile(journal, `${content}\n`);
        await expect(readPendingJournal(journal)).rejects.toMatchObject({ kind: 'bank', code: 'BANK_JOURNAL_BROKEN' });
      }),
      { numRuns: 100 },
    );
  });

  test('FB-15 folders and foreign names are passed over or listed as broken', async () => {
    const folder = await temporaryFolder();
    const name = path.split('/').at(-1) as string;
    await mkdir(join(folder, name));
    await writeFile(join(folder, `.${name}.0123.tmp`), bytes);
    await writeFile(join(folder, 'notes.txt'), 'hello');
    const listing = await openBankFolder(folder).list();
    expect(listing).toMatchObject({ completed: [], pending: [], failed: [], broken: [{ path: join(folder, name) }] });
    await expect(openBankFolder(folder).find('harbour', file.bank.identity, null)).rejects.toMatchObject({
      code: 'BANK_UNREADABLE',
    });
    expect(await openBankFolder(folder).find('another', file.bank.identity, null)).toMatchObject({ kind: 'none' });
  });
});
