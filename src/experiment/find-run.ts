import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { invalidInput, messageOf } from '../core/errors.js';

/** What `latest` needs of a manifest, whatever verb wrote it. */
const beginningSchema = z.looseObject({ format: z.string(), started_at: z.iso.datetime() });

/**
 * Finds a run: an id under `out`, `latest`, or a folder.
 *
 * @param format of the manifests that `latest` looks at; null for any, recordings included.
 * @throws exit 2: `RUN_NOT_FOUND`; `RUN_MANIFEST_BROKEN` where `latest` meets a manifest that does not say when its run began: passed over, an
 * older run would be taken for it; `RUN_UNREADABLE`.
 */
export async function findRun(out: string, run: string, format: string | null = null): Promise<string> {
  const candidates = run === 'latest' ? [await latestRun(out, format)] : [join(resolve(out), run), resolve(run)];
  for (const candidate of candidates) {
    if (candidate !== null && (await isRun(candidate))) return candidate;
  }
  throw invalidInput(
    'RUN_NOT_FOUND',
    run === 'latest' ? `there is no run in ${resolve(out)}` : `${run} is no run in ${resolve(out)} and no run folder`,
    {
      remedy: 'name a run id, `latest` or a run folder; --out says where the runs lie',
    },
  );
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR']);

async function isRun(path: string): Promise<boolean> {
  try {
    await stat(join(path, 'run.json'));
    return true;
  } catch (cause) {
    if (ABSENT.has((cause as NodeJS.ErrnoException).code ?? '')) return false;
    throw unreadable(path, cause);
  }
}

async function latestRun(out: string, format: string | null): Promise<string | null> {
  let names: string[];
  try {
    names = await readdir(resolve(out));
  } catch (cause) {
    if (ABSENT.has((cause as NodeJS.ErrnoException).code ?? '')) return null;
    throw unreadable(resolve(out), cause);
  }
  let latest: { startedAt: string; path: string } | null = null;
  for (const name of names.sort()) {
    const path = join(resolve(out), name);
    // What is another user's is not meant.
    if (!(await isRun(path).catch(() => false))) continue;
    const manifest = await readBeginning(join(path, 'run.json'));
    if (format !== null && manifest.format !== format) continue;
    const { started_at: startedAt } = manifest;
    if (latest === null || startedAt >= latest.startedAt) latest = { startedAt, path };
  }
  return latest?.path ?? null;
}

async function readBeginning(path: string): Promise<z.output<typeof beginningSchema>> {
  try {
    return beginningSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? 'it does not say what it is, or when it began' : messageOf(cause);
    throw invalidInput('RUN_MANIFEST_BROKEN', `${path} is not the manifest of a run: ${why}`, {
      remedy: 'name the run that is meant instead of `latest`, or restore that file, or move its folder away',
      location: { file: path },
    });
  }
}

function unreadable(path: string, cause: unknown): Error {
  return invalidInput('RUN_UNREADABLE', `cannot look into ${path}: ${messageOf(cause)}`, {
    remedy: 'run the command as the user whose run it is',
    cause,
  });
}
