import type { Clock } from '../../core/clock.js';
import { pathInMatrix } from '../../matrix/load-matrix.js';
import type { ArmSettings, LoadedMatrix } from '../../matrix/matrix.js';
import type { FormationPolicy } from '../../memory/formation/formation-policy.js';
import type { Ranker } from '../../memory/recall/ranker.js';
import { findModule } from '../../module/find-module.js';
import type { UserModule } from '../../module/module.js';
import { ModuleHost } from '../../module/module-host.js';
import type { ScoredRow } from '../../scoring/scoring.js';
import { assertModulesUnchanged, boundPolicy, boundScorers, boundStrategy } from './bound-modules.js';
import { modulePolicy } from './module-policy.js';
import { moduleRanker } from './module-ranker.js';
import { scoreByModule } from './module-scorer.js';
import { type GivenAnswer, OtherSystem } from './other-system.js';

/** Only where a matrix names no module at all, and so has no limit of its own. */
const TIME_LIMIT_MS = 10_000;

/** What a matrix names of the user's own in place of something built in: modules (RT-6) and another system's file (RT-7). */
export class UserParts {
  /** One thread a module and kind, whatever the number of arms that name it. */
  readonly #hosts = new Map<string, ModuleHost>();
  #policy: FormationPolicy | null = null;

  private constructor(
    private readonly loaded: LoadedMatrix,
    private readonly clock: Clock,
    private readonly others: ReadonlyMap<string, OtherSystem>,
  ) {}

  /**
   * Reads what is a file, and loads the policy module; strategy and scorer modules are started when they are first called.
   *
   * @throws {InvalidInputErrors} faults of the files; `MODULE_CHANGED` where a module is not the one that the matrix binds.
   */
  static async open(loaded: LoadedMatrix, clock: Clock): Promise<UserParts> {
    await assertModulesUnchanged(loaded);
    const parts = new UserParts(loaded, clock, await readOtherSystems(loaded));
    const module = boundPolicy(loaded);
    if (module === null) return parts;
    const { exports } = await findModule('policy', module.path, module.file, parts.#timeLimitMs, clock);
    parts.#policy = modulePolicy(loaded.matrix.formation?.policy ?? '', parts.#host(module), exports);
    return parts;
  }

  /** Of the matrix's formation, where it is a module. */
  get policy(): FormationPolicy | null {
    return this.#policy;
  }

  /** What an arm's recall is ranked by; null for strategies that are built in. */
  ranker(arm: ArmSettings, fixture: string): Ranker | null {
    if (arm.retrieval.strategy === 'file') return this.others.get(arm.name)?.ranker(fixture) ?? null;
    const module = boundStrategy(this.loaded, arm);
    return module === null ? null : moduleRanker(this.#host(module));
  }

  /** What another system answered, where the arm is its file and holds an answer: then the reader is not asked. */
  givenAnswer(arm: ArmSettings, fixture: string, question: string): GivenAnswer | null {
    return this.others.get(arm.name)?.answerTo(fixture, question) ?? null;
  }

  /** Whether the reader is asked for an arm's question. */
  asksReader(arm: ArmSettings, fixture: string, question: string): boolean {
    return this.others.get(arm.name)?.asksReader(fixture, question) ?? true;
  }

  /** A row's scores by the matrix's scorer modules. */
  async scores(row: ScoredRow): Promise<{ readonly [scorer: string]: number | null }> {
    const scores: { [scorer: string]: number | null } = {};
    for (const [name, module] of boundScorers(this.loaded)) scores[name] = await scoreByModule(this.#host(module), row);
    return scores;
  }

  /** Ends the modules' threads. */
  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map((host) => host.close()));
  }

  get #timeLimitMs(): number {
    return this.loaded.matrix.modules?.time_limit_ms ?? TIME_LIMIT_MS;
  }

  #host(module: UserModule): ModuleHost {
    const key = `${module.kind} ${module.file}`;
    const known = this.#hosts.get(key) ?? new ModuleHost(module, this.#timeLimitMs, this.clock);
    this.#hosts.set(key, known);
    return known;
  }
}

/** The files of arms that are another system's, by arm. */
export async function readOtherSystems(loaded: LoadedMatrix): Promise<ReadonlyMap<string, OtherSystem>> {
  const others = new Map<string, OtherSystem>();
  for (const { name, retrieval } of loaded.matrix.arms) {
    const { strategy, path, digest } = retrieval;
    if (strategy === 'file' && path !== undefined && digest !== undefined)
      others.set(name, await OtherSystem.read(path, pathInMatrix(loaded, path), digest));
  }
  return others;
}
