import { describe, expect, it } from 'vitest';
import { programFiles } from './program-digest.js';

describe('R-09 what tells two programs apart', () => {
  it('R-09 is all that a row or a result rests on, the statistics of its intervals too', () => {
    expect(programFiles()).toEqual(
      expect.arrayContaining([
        'experiment/asking/ask.ts',
        'memory/recall/open-recall.ts',
        'report/statistics/student-t.ts',
        'scoring/token-f1.ts',
      ]),
    );
  });

  it('R-09 is nothing that only shows a run or packs it', () => {
    const rooms = programFiles().filter((name) => /^(cli|report|experiment\/bundle)\//.test(name));
    expect(new Set(rooms.map((name) => name.replace(/[^/]+$/, '')))).toEqual(new Set(['report/statistics/']));
  });
});
