import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../../src/core/clock.js';
import { digestText } from '../../src/core/digest.js';
import { type FileLedgerOptions, openFileLedger } from '../../src/ledger/file-ledger.js';
import type { LedgerLine } from '../../src/ledger/journal-line.js';
import type { Attribution, Ledger, NanoUsd, ReservationRequest } from '../../src/ledger/ledger.js';

/** Where a process of its own finds a ledger: what `ledger-race-child.ts` is handed, as JSON. */
export type LedgerPlace =
  | { readonly home: 'file'; readonly path: string }
  | { readonly home: 'postgres'; readonly url: string };

/** A ledger of some make, on a store of its own. */
export interface LedgerBench {
  readonly place: LedgerPlace;
  create(limit: NanoUsd): Promise<Ledger>;
  /** What a new process finds, after the one before was killed. */
  reopen(limit: NanoUsd, amendLimit?: boolean): Promise<Ledger>;
  /** Every line after the first, as it is stored. */
  lines(): Promise<readonly LedgerLine[]>;
  dispose(): Promise<void>;
}

export interface FileLedgerBench extends LedgerBench {
  readonly folder: string;
  readonly path: string;
}

export async function fileLedgerBench(run = 'run-1'): Promise<FileLedgerBench> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  const path = join(folder, 'ledger.jsonl');
  let current: Ledger | null = null;
  const open = async (options: Pick<FileLedgerOptions, 'mode' | 'limit' | 'amendLimit'>): Promise<Ledger> => {
    // Closing resolves nothing: the journal is as a kill would leave it.
    await current?.close();
    current = await openFileLedger({ path, run, clock: manualClock(), ...options });
    return current;
  };
  return {
    place: { home: 'file', path },
    folder,
    path,
    create: (limit) => open({ mode: 'create', limit }),
    reopen: (limit, amendLimit = false) => open({ mode: 'resume', limit, amendLimit }),
    lines: async () =>
      (await readFile(path, 'utf8'))
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => JSON.parse(line) as LedgerLine),
    dispose: async () => {
      await current?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const readerCall: Attribution = { arm: 'bm25', stage: 'reader', fixture: 'harbour-clinic', unit: 'q1' };

export function sendOf(amount: NanoUsd, attribution: Partial<Attribution> = {}): ReservationRequest {
  return {
    amount_nano_usd: amount,
    attribution: { ...readerCall, ...attribution },
    body: digestText('body'),
    is_send: true,
  };
}

export function inProcessCall(): ReservationRequest {
  return { ...sendOf(0n), is_send: false };
}
