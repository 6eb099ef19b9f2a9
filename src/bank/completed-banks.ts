import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bankRefused, invalidInput, messageOf } from '../core/errors.js';
import { isThere } from '../core/is-there.js';
import { BANK_LIMITS, type BankFile, type BankIdentity } from './bank.js';
import { bankTooLarge, parseBank } from './bank-format.js';
import { bankPath, parseBankName } from './bank-names.js';
import { identityDifferences } from './identity-difference.js';
import type { PendingContent } from './pending-journal.js';
import { readRegularFile } from './regular-file.js';

/** The completed banks of one fixture in a folder. */
export interface CompletedBanks {
  /** Those of the identity; more than one is ambiguous (FB-10). */
  readonly fitting: readonly BankFile[];
  /** The others, with the identity fields that differ: fewest first, then by file name. */
  readonly nearest: readonly { readonly file: BankFile; readonly differs: readonly string[] }[];
}

/** Reads the completed banks of a fixture. @throws what `parseBank` throws where one of them is broken. */
export async function completedBanks(folder: string, fixture: string, identity: BankIdentity): Promise<CompletedBanks> {
  const fitting: BankFile[] = [];
  const nearest: { file: BankFile; differs: string[] }[] = [];
  for (const path of await namesIn(folder)) {
    if (parseBankName(path)?.fixture !== fixture) continue;
    const file = await readBankFile(path);
    const differs = identityDifferences(file.bank.identity, identity);
    if (differs.length === 0) fitting.push(file);
    else nearest.push({ file, differs });
  }
  return { fitting, nearest: nearest.sort((a, b) => a.differs.length - b.differs.length) };
}

/** Reads one bank's file, size first (FB-8). @throws what `parseBank` throws; `BANK_MISSING`, `BANK_UNREADABLE` (exit 5). */
export async function readBankFile(path: string): Promise<BankFile> {
  const bytes = await readRegularFile(path, BANK_LIMITS.bytes, (size) => bankTooLarge(path, size));
  if (bytes === null) throw bankRefused('BANK_MISSING', `${path} is gone`, { remedy: 'start again' });
  return { path, bytes: bytes.byteLength, bank: parseBank(bytes, path) };
}

/** Whether a journal's seal names a bank that is there: then it is finished, not interrupted (FB-9). */
export async function isFinished(folder: string, content: PendingContent): Promise<boolean> {
  const seal = content.lines.find((line) => line.kind === 'sealed');
  if (seal === undefined) return false;
  const path = bankPath(folder, content.header.fixture, seal.bank);
  if (!(await isThere(path))) return false;
  return (await readBankFile(path)).bank.digest === seal.bank;
}

/** The paths in a folder, sorted by name (UTF-16 order); none where it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort().map((name) => join(folder, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw invalidInput('BANK_FOLDER_UNREADABLE', `cannot read the bank folder ${folder}: ${messageOf(error)}`, {
      remedy: 'name a folder that you may read in formation_bank_directory',
      cause: error,
    });
  }
}
