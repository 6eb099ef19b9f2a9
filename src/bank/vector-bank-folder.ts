import { lock } from 'proper-lockfile';
import { type Digest, shortDigest } from '../core/digest.js';
import { ensureFolder, PRIVATE_FOLDER_MODE, writeExclusive } from '../core/durable-files.js';
import { bankRefused, RecallMatrixError } from '../core/errors.js';
import type { RecallUnit } from '../memory/memory.js';
import { namesIn } from './completed-banks.js';
import { identityDifferences } from './identity-difference.js';
import { readRegularFile } from './regular-file.js';
import {
  VECTOR_BANK_LIMIT_BYTES,
  type VectorBank,
  type VectorBankFile,
  type VectorBankIdentity,
  type VectorBankLookup,
} from './vector-bank.js';
import { parseVectorBank, sealVectorBank, type VectorBankParts, vectorBankTooLarge } from './vector-bank-format.js';
import { parseVectorBankName, vectorBankPath, vectorBankPlace } from './vector-bank-names.js';

/** Every file of a folder that bears a vector bank's name, sorted by file name. */
export interface VectorBankListing {
  readonly completed: readonly VectorBankFile[];
  readonly broken: readonly { readonly path: string; readonly error: RecallMatrixError }[];
}

/** Reads a vector bank with its values. @throws what `parseVectorBank` throws; `BANK_MISSING`, `BANK_UNREADABLE` (exit 5). */
export async function readVectorBank(path: string): Promise<VectorBank> {
  return (await readWhole(path)).bank;
}

/** Reads and checks a vector bank, and keeps its header alone. */
export async function readVectorBankFile(path: string): Promise<VectorBankFile> {
  return (await readWhole(path)).file;
}

/** Lists a folder's vector banks; none where it does not exist. */
export async function listVectorBanks(folder: string): Promise<VectorBankListing> {
  const completed: VectorBankFile[] = [];
  const broken: { path: string; error: RecallMatrixError }[] = [];
  for (const path of await namesIn(folder)) {
    if (parseVectorBankName(path) === null) continue;
    try {
      completed.push(await readVectorBankFile(path));
    } catch (error) {
      if (!(error instanceof RecallMatrixError)) throw error;
      broken.push({ path, error });
    }
  }
  return { completed, broken };
}

/**
 * The vector bank of a fixture and identity (VB-1).
 *
 * @param pinned a vector bank's digest: then only that one counts, and it must fit.
 * @throws exit 5: `VECTOR_BANK_AMBIGUOUS` where two fit and none is pinned, `VECTOR_BANK_PINNED_MISSING`, `VECTOR_BANK_PINNED_DIFFERS`, and what
 * `parseVectorBank` throws where a file of this fixture and unit is broken.
 */
export async function findVectorBank(
  folder: string,
  fixture: string,
  identity: VectorBankIdentity,
  pinned: Digest | null,
): Promise<VectorBankLookup> {
  const fitting: VectorBankFile[] = [];
  const nearest: { file: VectorBankFile; differs: string[] }[] = [];
  for (const path of await namesIn(folder)) {
    const name = parseVectorBankName(path);
    if (name?.fixture !== fixture || name.unit !== identity.unit) continue;
    if (pinned !== null && name.digest12 !== shortDigest(pinned)) continue;
    const file = await readVectorBankFile(path);
    const differs = identityDifferences(file.header.identity, identity);
    if (differs.length === 0) fitting.push(file);
    else nearest.push({ file, differs });
  }
  if (pinned !== null) return { found: pinnedOf(folder, pinned, fitting, nearest), nearest: [] };
  if (fitting.length > 1) throw ambiguous(fixture, identity.unit, fitting);
  return { found: fitting[0] ?? null, nearest: nearest.sort((a, b) => a.differs.length - b.differs.length) };
}

/**
 * Seals a vector bank into its place (VB-2): aside, synced, linked, the folder synced. Where another process recorded the same identity
 * meanwhile, that bank is the one: two would be ambiguous, and may differ.
 *
 * @returns the bank that now stands for the identity, and whether it is this one.
 */
export async function writeVectorBank(
  folder: string,
  fixture: string,
  parts: VectorBankParts,
): Promise<{ readonly bank: VectorBank; readonly file: VectorBankFile; readonly isOurs: boolean }> {
  const { header, bytes } = sealVectorBank(parts);
  await ensureFolder(folder, PRIVATE_FOLDER_MODE);
  const place = vectorBankPlace(folder, fixture, header.identity);
  const unlock = await lock(place, { realpath: false, retries: { retries: 20, minTimeout: 10, maxTimeout: 1000 } });
  try {
    const { found } = await findVectorBank(folder, fixture, header.identity, null);
    if (found !== null) return { ...(await readWhole(found.path)), isOurs: false };
    const path = vectorBankPath(folder, fixture, header.identity.unit, header.digest);
    if (!(await writeExclusive(path, bytes))) {
      throw bankRefused('VECTOR_BANK_EXISTS', `${path} is there already, and a bank is never replaced`, {
        remedy: 'start again: that bank will be replayed',
      });
    }
    return { ...(await readWhole(path)), isOurs: true };
  } finally {
    await unlock();
  }
}

async function readWhole(path: string): Promise<{ readonly bank: VectorBank; readonly file: VectorBankFile }> {
  const bytes = await readRegularFile(path, VECTOR_BANK_LIMIT_BYTES, (size) => vectorBankTooLarge(path, size));
  if (bytes === null) throw bankRefused('BANK_MISSING', `${path} is gone`, { remedy: 'start again' });
  const bank = parseVectorBank(bytes, path);
  return { bank, file: { path, bytes: bytes.byteLength, header: bank.header } };
}

function pinnedOf(
  folder: string,
  pinned: Digest,
  fitting: readonly VectorBankFile[],
  others: VectorBankLookup['nearest'],
): VectorBankFile {
  const found = fitting.find(({ header }) => header.digest === pinned);
  if (found !== undefined) return found;
  const other = others.find(({ file }) => file.header.digest === pinned);
  if (other === undefined) {
    throw bankRefused(
      'VECTOR_BANK_PINNED_MISSING',
      `no vector bank ${pinned} of this fixture and unit lies in ${folder}`,
      {
        remedy:
          'recall-matrix bank list shows what lies there; correct the digest, or copy the vector bank into the folder',
        details: { vector_bank: pinned },
      },
    );
  }
  const differs = other.differs.join(', ');
  throw bankRefused(
    'VECTOR_BANK_PINNED_DIFFERS',
    `the pinned vector bank ${pinned} does not fit; it differs in ${differs}`,
    {
      remedy: 'pin a vector bank of this identity, or restore the configuration and version that it was recorded with',
      details: { vector_bank: pinned, differs },
    },
  );
}

function ambiguous(fixture: string, unit: RecallUnit, files: readonly VectorBankFile[]): RecallMatrixError {
  const digests = files.map(({ header }) => header.digest).join(', ');
  return bankRefused(
    'VECTOR_BANK_AMBIGUOUS',
    `${files.length} vector banks of the ${unit} of ${fixture} have one identity: ${digests}`,
    { remedy: 'pin one by its digest under `vector_banks`, or move the others away' },
  );
}
