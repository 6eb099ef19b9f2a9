import { manualClock } from '../../src/core/clock.js';
import { openFileLedger } from '../../src/ledger/file-ledger.js';
import { sendOf } from './ledger-bench.js';

// A process that uses a ledger and says on stdout, a line each, what it was granted; to be killed, or starved of disk, by a test.
const [, , path, mode, task] = process.argv as string[] as [string, string, string, 'create' | 'resume', string];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

// A file that may not grow ends a process by this signal; handled, the write fails instead, as on a full disk.
process.on('SIGXFSZ', () => {});
const ledger = await openFileLedger({ path, mode, limit: 1_000_000_000n, run: 'run-1', clock: manualClock() });
if (task === 'open-one') {
  await ledger.settle(await ledger.reserve(sendOf(500n)), 123n);
  const { id } = await ledger.reserve(sendOf(700n));
  say(`reserved ${id}`);
  // Stays between the reservation and its settlement until it is killed.
  setInterval(() => {}, 60_000);
} else {
  try {
    for (;;) {
      const reservation = await ledger.reserve(sendOf(1_000n));
      say(`reserved ${reservation.id}`);
      await ledger.settle(reservation, 10n);
      say(`settled ${reservation.id}`);
    }
  } catch (error) {
    say(`failed ${(error as { code: string }).code}`);
    await ledger.reserve(sendOf(0n)).then(
      () => say('admitted after the failure'),
      (again) => say(`refused ${(again as { code: string }).code}`),
    );
  }
}
