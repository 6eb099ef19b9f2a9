import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

/** How a tree is copied. */
export interface CopyOptions {
  /** Owner of every copy; null keeps ours. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Of every folder made. */
  readonly folderMode: number;
  /** Of every file; absent: each keeps its own. */
  readonly fileMode?: number;
  /** Whether an entry, by its name, is copied. */
  readonly wanted?: (name: string) => boolean;
}

/**
 * Copies a folder to a new place, links as links. Blocks: for a thousand small files that is faster than asking the thread pool
 * (measured: 100 ms against 135 ms). Shares blocks where the file system can.
 */
export function copyTree(from: string, to: string, options: CopyOptions): void {
  mkdirSync(to, { mode: options.folderMode });
  own(to, options);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (options.wanted?.(entry.name) === false) continue;
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      copyTree(source, target, options);
      continue;
    }
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else copyFile(source, target, options);
    own(target, options);
  }
}

function copyFile(source: string, target: string, { fileMode }: CopyOptions): void {
  copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  if (fileMode !== undefined) chmodSync(target, fileMode);
}

function own(path: string, { owner }: CopyOptions): void {
  if (owner !== null) lchownSync(path, owner.uid, owner.gid);
}

/** Relative paths of all that lies under a folder, in order. Looks at no file: a thousand sizes would cost a tenth of a start. */
export function listNames(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}
