import { lstat } from 'node:fs/promises';

/** Whether a name is taken, by whatever. @throws what the file system says, but that there is none. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
