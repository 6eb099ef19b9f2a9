import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Which process holds something (a recording, a ledger). A process id alone is used again by others; with its start it is not. */
export interface ProcessMark {
  readonly host: string;
  readonly pid: number;
  /** When the system started it, in the system's own unit; null where the system does not say. */
  readonly started: string | null;
}

/** What can be known about processes; handed in, so that tests can end one without ending themselves. */
export interface ProcessTable {
  self(): ProcessMark;
  /** Null where it cannot be known: the mark is of another host. */
  isAlive(mark: ProcessMark): boolean | null;
}

/** The machine's processes. */
export const systemProcesses: ProcessTable = {
  self: () => ({ host: hostname(), pid: process.pid, started: startOf(process.pid) }),
  isAlive: (mark) => {
    if (mark.host !== hostname()) return null;
    return isRunning(mark.pid) && (mark.started === null || mark.started === startOf(mark.pid));
  },
};

/** Whether a process of this machine has the id now, whichever it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not permitted means that it is there and another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Field 22 of `/proc/<pid>/stat`, counted after the command name, which may hold spaces; null on systems without it. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
