import { terminalLine } from '../core/terminal-text.js';
import type { Progress } from '../experiment/experiment.js';
import { showUsd } from '../ledger/money.js';
import type { CliIo } from './io.js';

/** Progress as CL-1 wants it: a bar on a terminal, plain lines elsewhere. `close` ends it. */
export interface ProgressDisplay {
  readonly progress: Progress;
  close(): void;
}

/** Lines elsewhere come at a stage's start and end, and at each quarter of a long one; at each twentieth of one of a hundred parts. */
const QUARTERS = 4;
const TWENTIETHS = 20;

export async function showProgress(io: CliIo): Promise<ProgressDisplay> {
  return io.stderr.isTTY === true ? barDisplay(io) : lineDisplay(io);
}

function lineDisplay(io: CliIo): ProgressDisplay {
  const told = new Map<string, number>();
  return {
    progress: (event) => {
      if (event.kind === 'note') {
        io.stderr.write(`${terminalLine(event.text, 500)}\n`);
        return;
      }
      const parts = event.total < 100 ? QUARTERS : TWENTIETHS;
      const part = Math.floor((event.done * parts) / event.total);
      if (told.get(event.stage) === part) return;
      told.set(event.stage, part);
      io.stderr.write(
        `${event.stage}: ${event.done}/${event.total}${rest(event.remaining_ms)}${money(event.spent_nano_usd, event.held_nano_usd)}\n`,
      );
    },
    close: () => {},
  };
}

async function barDisplay(io: CliIo): Promise<ProgressDisplay> {
  const { SingleBar, Presets } = (await import('cli-progress')).default;
  let bar: InstanceType<typeof SingleBar> | null = null;
  let stage: string | null = null;
  const stop = (): void => {
    bar?.stop();
    bar = null;
    stage = null;
  };
  return {
    progress: (event) => {
      if (event.kind === 'note') {
        stop();
        io.stderr.write(`${terminalLine(event.text, 500)}\n`);
        return;
      }
      const payload = { money: money(event.spent_nano_usd, event.held_nano_usd) };
      if (stage !== event.stage) {
        stop();
        stage = event.stage;
        bar = new SingleBar(
          {
            format: `${event.stage} [{bar}] {value}/{total} {eta_formatted}{money}`,
            stream: io.stderr,
            hideCursor: true,
          },
          Presets.legacy,
        );
        bar.start(event.total, event.done, payload);
      } else bar?.update(event.done, payload);
      if (event.done >= event.total) stop();
    },
    close: stop,
  };
}

function rest(remainingMs: number | null): string {
  if (remainingMs === null || remainingMs === 0) return '';
  const seconds = Math.ceil(remainingMs / 1000);
  return seconds < 120 ? `, about ${seconds} s left` : `, about ${Math.ceil(seconds / 60)} min left`;
}

function money(spent: bigint, held: bigint): string {
  return spent === 0n && held === 0n ? '' : `, spent $${showUsd(spent)}, held $${showUsd(held)}`;
}
