import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { LedgerPlace } from './ledger-bench.js';

/** What every process of a race is told. */
export interface RaceRules {
  readonly processes: number;
  /** Reservations that each process asks for. */
  readonly each: number;
  readonly amount: bigint;
  readonly limit: bigint;
}

/**
 * Lets processes race for reservations on one ledger; gives how many each was granted.
 *
 * @param program the bundled `ledger-race-child`.
 */
export async function raceForReservations(program: string, place: LedgerPlace, rules: RaceRules): Promise<number[]> {
  const task = JSON.stringify({
    place,
    each: rules.each,
    amount: rules.amount.toString(),
    limit: rules.limit.toString(),
  });
  return Promise.all(
    Array.from({ length: rules.processes }, async () => {
      const child = spawn(process.execPath, [program, task], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(`a racing process ended with ${code}`);
      return Number(said);
    }),
  );
}
