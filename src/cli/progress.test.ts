import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../experiment/experiment.js';
import type { CliIo } from './io.js';
import { showProgress } from './progress.js';

function standardError(isTTY: boolean): { io: CliIo; written: () => string } {
  let written = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk);
      done();
    },
  });
  const stderr = Object.assign(stream, { isTTY, columns: 80 });
  return { io: { stderr } as unknown as CliIo, written: () => written };
}

const asked = (done: number, spent_nano_usd = 0n, held_nano_usd = 0n, total = 8): RunEvent => ({
  kind: 'stage',
  stage: 'harbour: asking',
  done,
  total,
  spent_nano_usd,
  held_nano_usd,
  remaining_ms: null,
});

describe('CL-1 the progress of a long stage', () => {
  it('CL-1 is a bar on a terminal, with what is spent and held, which ends with its stage', async () => {
    const { io, written } = standardError(true);
    const { progress, close } = await showProgress(io);
    progress(asked(0, 0n, 5_000_000n));
    progress(asked(8, 250_000_000n, 10_000_000n));
    close();
    const bars = stripVTControlCharacters(written());
    expect(bars).toMatch(/harbour: asking \[-+\] 0\/8 .*, spent \$0\.00, held \$0\.005/);
    expect(bars).toMatch(/harbour: asking \[=+\] 8\/8 .*, spent \$0\.25, held \$0\.01/);
    expect(written()).toContain('\u001b[?25l');
    expect(written().lastIndexOf('\u001b[?25h')).toBeGreaterThan(written().lastIndexOf('8/8'));
  });

  it('CL-1 is plain lines elsewhere, at its start, at each quarter and at its end, with the same sums', async () => {
    const { io, written } = standardError(false);
    const { progress, close } = await showProgress(io);
    for (const done of [0, 1, 2, 3, 4, 5, 6, 7, 8]) progress(asked(done, 250_000_000n * BigInt(done), 10_000_000n));
    close();
    expect(written().split('\n')).toEqual([
      'harbour: asking: 0/8, spent $0.00, held $0.01',
      'harbour: asking: 2/8, spent $0.50, held $0.01',
      'harbour: asking: 4/8, spent $1.00, held $0.01',
      'harbour: asking: 6/8, spent $1.50, held $0.01',
      'harbour: asking: 8/8, spent $2.00, held $0.01',
      '',
    ]);
  });

  it('CL-1 without a price, or before anything is paid, speaks of no money', async () => {
    const { io, written } = standardError(false);
    (await showProgress(io)).progress(asked(0));
    expect(written()).toBe('harbour: asking: 0/8\n');
  });

  it.each([true, false])(
    'CL-1 RS-4 a note has a line of its own, and steers no terminal (terminal: %s)',
    async (isTTY) => {
      const { io, written } = standardError(isTTY);
      const { progress, close } = await showProgress(io);
      progress(asked(1));
      progress({ kind: 'note', text: 'replaying \u001b[2J\u202e' });
      close();
      const note = written().slice(written().indexOf('replaying'));
      for (const mark of ['\u001b[2J', '\u202e']) expect(note).not.toContain(mark);
      expect(note).toMatch(/^replaying .*\n/);
    },
  );
});
