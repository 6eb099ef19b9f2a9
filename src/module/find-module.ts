import type { Clock } from '../core/clock.js';
import { invalidInput } from '../core/errors.js';
import type { ModuleExports, ModuleKind, UserModule } from './module.js';
import { moduleDigest } from './module-files.js';
import { ModuleThread } from './module-thread.js';

/** A module that was loaded once, to see what it exports. */
export interface FoundModule {
  readonly module: UserModule;
  readonly exports: ModuleExports;
}

interface Expected {
  readonly [name: string]: { readonly type: 'function' | 'string' | 'number'; readonly isNeeded: boolean };
}

const EXPORTS: { readonly [Kind in ModuleKind]: Expected } = {
  strategy: { rank: { type: 'function', isNeeded: true } },
  scorer: { score: { type: 'function', isNeeded: true }, describes: { type: 'string', isNeeded: false } },
  policy: {
    instructions: { type: 'string', isNeeded: true },
    people_limit: { type: 'number', isNeeded: false },
    chooseBeliefs: { type: 'function', isNeeded: false },
    requestText: { type: 'function', isNeeded: false },
  },
};

/**
 * Finds a user's module, and loads it in a thread to see its exports: its own top-level code runs.
 *
 * @param path as the matrix names it.
 * @param file absolute.
 * @throws kind `invalid-input`: `MODULE_NOT_ESM`, `MODULE_UNREADABLE`, `MODULE_TOO_LARGE`, `MODULE_NOT_LOADED`, `MODULE_EXPORTS`.
 */
export async function findModule(
  kind: ModuleKind,
  path: string,
  file: string,
  timeLimitMs: number,
  clock: Clock,
): Promise<FoundModule> {
  if (!file.endsWith('.mjs')) {
    throw invalidInput('MODULE_NOT_ESM', `${path} is no ES module by its name`, {
      remedy: 'name a file that ends in .mjs',
    });
  }
  const digest = await moduleDigest(file);
  const exports = await exportsOf(path, file, timeLimitMs, clock);
  const problem = exportProblem(kind, exports);
  if (problem !== null) {
    throw invalidInput('MODULE_EXPORTS', `the ${kind} module ${path} ${problem}`, { remedy: 'see docs/modules.md' });
  }
  return { module: { kind, path, file, digest }, exports };
}

async function exportsOf(path: string, file: string, timeLimitMs: number, clock: Clock): Promise<ModuleExports> {
  const thread = new ModuleThread(file, clock);
  try {
    const heard = await thread.loaded(timeLimitMs);
    if (heard.kind === 'loaded') return heard.exports;
    const why = 'message' in heard ? heard.message : `it did not end loading within ${timeLimitMs} ms`;
    throw invalidInput('MODULE_NOT_LOADED', `the module ${path} does not load: ${why}`, {
      remedy: 'mend it: `node` says more of what is wrong with a module',
    });
  } finally {
    await thread.end();
  }
}

function exportProblem(kind: ModuleKind, exports: ModuleExports): string | null {
  for (const [name, { type, isNeeded }] of Object.entries(EXPORTS[kind])) {
    const found = exports[name];
    if (found === undefined && isNeeded) {
      return `exports no ${name}; it exports: ${Object.keys(exports).join(', ') || 'nothing'}`;
    }
    if (found !== undefined && found.type !== type) return `exports ${name} as a ${found.type}, and not as a ${type}`;
  }
  return kind === 'policy' ? policyProblem(exports) : null;
}

const MOST_INSTRUCTIONS = 100_000;
const MOST_PEOPLE = 1000;

function policyProblem({ instructions, people_limit }: ModuleExports): string | null {
  const text = instructions?.value;
  if (typeof text !== 'string' || text.trim() === '' || text.length > MOST_INSTRUCTIONS)
    return `exports instructions that are empty, or longer than ${MOST_INSTRUCTIONS} characters`;
  const limit = people_limit?.value ?? 1;
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1 || limit > MOST_PEOPLE)
    return `exports people_limit ${limit}; expected a whole number from 1 to ${MOST_PEOPLE}`;
  return null;
}
