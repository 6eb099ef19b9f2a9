import { readFileSync } from 'node:fs';

/** The system user that owns a local server's data and runs it. */
export interface ServerIdentity {
  readonly uid: number;
  readonly gid: number;
  /** For people: `nobody (65534)`, or `uid 1000`. */
  readonly shown: string;
}

const FALLBACK = { uid: 65534, gid: 65534 };

/**
 * Who the server must run as, where that is not ourselves: Postgres refuses to run as root, so root borrows the unprivileged
 * `nobody`, which exists already (PG-1). Null for an ordinary user and where there are no user ids.
 */
export function borrowedIdentity(uid: number | null = process.getuid?.() ?? null): ServerIdentity | null {
  if (uid !== 0) return null;
  const { uid: nobody, gid } = findNobody(readPasswd());
  return { uid: nobody, gid, shown: `nobody (${nobody})` };
}

/** The user and group of `nobody` in the text of a passwd file, or the customary ids. */
function findNobody(passwd: string): { readonly uid: number; readonly gid: number } {
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === 'nobody' && /^-?\d+$/.test(uid ?? '') && /^-?\d+$/.test(gid ?? '')) {
      return { uid: Number(uid), gid: Number(gid) };
    }
  }
  return FALLBACK;
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch (error) {
    // A minimal container has no such file; the customary ids serve there.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
