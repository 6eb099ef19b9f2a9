import { lock } from 'proper-lockfile';

/**
 * Runs a short step on a pending journal that no other process may take at the same time: claiming it for a continuation, or abandoning
 * it. A process that dies within it is found by the lock's age.
 */
export async function withJournalMutex<T>(journal: string, step: () => Promise<T>): Promise<T> {
  const unlock = await lock(journal, { realpath: false, retries: { retries: 30, minTimeout: 10, maxTimeout: 1000 } });
  try {
    return await step();
  } finally {
    await unlock();
  }
}
