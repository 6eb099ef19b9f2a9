import { basename, relative, resolve, sep } from 'node:path';
import { parseBankName, statePath } from '../../bank/bank-names.js';
import { namesIn, readBankFile } from '../../bank/completed-banks.js';
import { readState } from '../../bank/state-file.js';
import { readVectorBankFile } from '../../bank/vector-bank-folder.js';
import { parseVectorBankName } from '../../bank/vector-bank-names.js';
import { type Digest, digestBytes, shortDigest } from '../../core/digest.js';
import { RecallMatrixError } from '../../core/errors.js';
import { FIXTURE_FILES } from '../../fixture/fixture-files.js';
import { moduleDigest, moduleFiles } from '../../module/module-files.js';
import { expectationPath, readExpectation } from '../reproducing/expectation.js';
import type { RunRecord } from '../run-record.js';
import { type BundleManifest, isBundlePath } from './bundle-format.js';
import { type BundleStage, readWhole } from './bundle-stage.js';
import { usedBanks, usedVectorBanks } from './used-banks.js';
import { type NamedPart, namedParts, type Workspace } from './workspace.js';

type Missing = BundleManifest['missing'][number];

/** What is put beside a run: what its matrix names, and the banks that it used. */
export interface WorkspacePutting {
  readonly stage: BundleStage;
  readonly record: RunRecord;
  readonly workspace: Workspace;
  /** Where the matrix lay, absolute. */
  readonly folder: string;
  /** Of fixtures their description alone, and nothing that quotes them. */
  readonly redacts: boolean;
}

/** Puts what a run rests on into a bundle. @returns what is not at hand, and why. */
export async function putWorkspace(putting: WorkspacePutting): Promise<Missing[]> {
  const missing: Missing[] = [];
  for (const part of namedParts(putting.record.matrix)) {
    const why = await putPart(putting, part);
    if (why !== null) missing.push(why);
  }
  return missing;
}

async function putPart(putting: WorkspacePutting, part: NamedPart): Promise<Missing | null> {
  const { stage, workspace, folder, redacts } = putting;
  const missing = (why: string): Missing => ({ what: `${part.kind} ${named(part.path)}`, why });
  const to = workspace.place(part.path);
  if (to === null) return missing('it is named from the root of its machine');
  const from = resolve(folder, part.path);
  switch (part.kind) {
    case 'fixture':
      return await putFixture(putting, from, to);
    case 'banks':
      return redacts ? null : await putBanks(putting, from, to);
    case 'vector-banks':
      return redacts ? null : await putVectorBanks(putting, from, to);
    case 'prompt':
      if (!stage.has(to)) await stage.write(to, Buffer.from(part.text, 'utf8'));
      return null;
    case 'module':
      return await putModule(putting, from, part.digest);
    case 'labels':
    case 'rankings': {
      if (redacts) return missing('redacted: it holds answers');
      const bytes = await readWhole(from);
      if (bytes === null) return missing('it is not there any more');
      if (digestBytes(bytes) !== part.digest) return missing('it is no longer what the run was bound to');
      if (!stage.has(to)) await stage.write(to, bytes);
      return null;
    }
  }
}

/** A path from the root of a machine tells of it: its last part is said. */
function named(path: string): string {
  return path.startsWith('/') ? basename(path) : path;
}

async function putFixture(
  { stage, record, redacts }: WorkspacePutting,
  from: string,
  to: string,
): Promise<Missing | null> {
  const id = basename(from);
  const fixture = await record.fixture(id);
  if ('missing' in fixture) return { what: `fixture ${id}`, why: 'it is not there, or no longer what was asked' };
  const { manifest, ...texts } = FIXTURE_FILES;
  for (const name of redacts ? [manifest] : [manifest, ...Object.values(texts)])
    await stage.copy(`${to}/${name}`, resolve(from, name));
  return null;
}

async function putBanks({ stage, record }: WorkspacePutting, folder: string, to: string): Promise<Missing | null> {
  const wanted = usedBanks(record).map(({ digest }) => digest);
  const found = await filesOf(folder, wanted, (path) => parseBankName(path)?.digest12 ?? null, putOneBank);
  return lacking('bank', wanted, found);

  async function putOneBank(path: string): Promise<Digest> {
    const { bank } = await readBankFile(path);
    // Both are read before either is put, so that a broken one is missing and not half there.
    await readState(path, bank);
    await stage.copy(`${to}/${basename(path)}`, path);
    await stage.copy(`${to}/${basename(statePath(path))}`, statePath(path));
    if ((await readExpectation(path, bank.digest)) !== null)
      await stage.copy(`${to}/${basename(expectationPath(path))}`, expectationPath(path));
    return bank.digest;
  }
}

async function putVectorBanks(
  { stage, record }: WorkspacePutting,
  folder: string,
  to: string,
): Promise<Missing | null> {
  const wanted = usedVectorBanks(record).map(({ digest }) => digest);
  const found = await filesOf(
    folder,
    wanted,
    (path) => parseVectorBankName(path)?.digest12 ?? null,
    async (path) => {
      const { header } = await readVectorBankFile(path);
      await stage.copy(`${to}/${basename(path)}`, path);
      return header.digest;
    },
  );
  return lacking('vector bank', wanted, found);
}

/** Puts the files of a folder whose names say one of these digests. A broken one is as if it were not there. */
async function filesOf(
  folder: string,
  wanted: readonly Digest[],
  digest12: (path: string) => string | null,
  put: (path: string) => Promise<Digest>,
): Promise<Set<Digest>> {
  const found = new Set<Digest>();
  const names = new Set(wanted.map((digest) => shortDigest(digest)));
  if (names.size === 0) return found;
  for (const path of await namesIn(folder)) {
    const name = digest12(path);
    if (name === null || !names.has(name)) continue;
    try {
      found.add(await put(path));
    } catch (error) {
      if (!(error instanceof RecallMatrixError) || error.kind !== 'bank') throw error;
    }
  }
  return found;
}

function lacking(what: string, wanted: readonly Digest[], found: ReadonlySet<Digest>): Missing | null {
  const without = wanted.filter((digest) => !found.has(digest));
  if (without.length === 0) return null;
  return { what: `${what} ${without.join(', ')}`, why: 'it does not lie where the matrix says, or is broken' };
}

/** A module is put with what it imports by relative paths: together they are its digest. It is read, and not run. */
async function putModule(
  { stage, workspace, folder }: WorkspacePutting,
  from: string,
  digest: Digest,
): Promise<Missing | null> {
  const what = `module ${basename(from)}`;
  try {
    if ((await moduleDigest(from)) !== digest) return { what, why: 'it is no longer what the run was bound to' };
    for (const path of await moduleFiles(from)) {
      const to = workspace.place(relative(folder, path).split(sep).join('/'));
      if (to === null || !isBundlePath(to) || to.split('/')[0] !== workspace.matrixFile.split('/')[0])
        return { what, why: 'it imports from above what the matrix names' };
      if (!stage.has(to)) await stage.copy(to, path);
    }
    return null;
  } catch (error) {
    if (error instanceof RecallMatrixError && error.kind === 'invalid-input') return { what, why: 'it cannot be read' };
    throw error;
  }
}
