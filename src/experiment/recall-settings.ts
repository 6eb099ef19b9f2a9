import type { ArmSettings } from '../matrix/matrix.js';
import type { RecallMode, RecallSettings } from '../memory/memory.js';

/** How an arm's runtime recalls. */
export function recallSettings({ retrieval }: ArmSettings): RecallSettings {
  const { strategy, unit, limit } = retrieval;
  return { strategy, unit, limit, mode: recallMode(retrieval) };
}

function recallMode({ mode, core_size, as_of }: ArmSettings['retrieval']): RecallMode {
  switch (mode) {
    case 'core':
      // Both are filled in where the mode asks for them.
      return { name: mode, size: core_size as number };
    case 'historical':
      return { name: mode, as_of: as_of as string };
    default:
      return { name: mode };
  }
}
