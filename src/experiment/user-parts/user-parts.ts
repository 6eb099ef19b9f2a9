import type { Clock } from '../../core/clock.js';
import { InvalidInputErrors, invalidInput } from '../../core/errors.js';
import { pathInMatrix } from '../../matrix/load-matrix.js';
import type { ArmSettings, LoadedMatrix } from '../../matrix/matrix.js';
import type { FormationPolicy } from '../../memory/formation/formation-policy.js';
import type { Ranker } from '../../memory/recall/ranker.js';
import { findModule } from '../../module/find-module.js';
import type { ModuleKind, UserModule } from '../../module/module.js';
import { ModuleHost } from '../../module/module-host.js';
import type { ScoredRow } from '../../scoring/scoring.js';
import { modulePolicy } from './module-policy.js';
import { moduleRanker } from './module-ranker.js';
import { scoreByModule } from './module-scorer.js';
import { type GivenAnswer, OtherSystem } from './other-system.js';

/** What a matrix names of the user's own in place of something built in: modules (RT-6) and another system's file (RT-7). */
export class UserParts {
  readonly #hosts = new Map<string, ModuleHost>();
  readonly #rankers = new Map<string, Ranker>();

  private constructor(
    private readonly loaded: LoadedMatrix,
    private readonly clock: Clock,
    private readonly others: ReadonlyMap<string, OtherSystem>,
    /** Of the matrix's formation, where it is a module. */
    readonly policy: FormationPolicy | null,
    policyHost: ModuleHost | null,
  ) {
    if (policyHost !== null) this.#hosts.set('policy', policyHost);
  }

  /**
   * Reads what is a file, and finds the policy module; strategy and scorer modules are started when they are first called.
   *
   * @throws {InvalidInputErrors} faults of the files; `MODULE_CHANGED` where the policy is not the one that the matrix binds.
   */
  static async open(loaded: LoadedMatrix, clock: Clock): Promise<UserParts> {
    const others = await readOtherSystems(loaded);
    const found = await findPolicy(loaded, clock);
    if (found === null) return new UserParts(loaded, clock, others, null, null);
    const host = new ModuleHost(found.module, timeLimit(loaded), clock);
    const policy = modulePolicy(loaded.matrix.formation?.policy ?? '', host, found.exports);
    return new UserParts(loaded, clock, others, policy, host);
  }

  /** What an arm's recall is ranked by; null for strategies that are built in. */
  ranker({ name, retrieval }: ArmSettings, fixture: string): Ranker | null {
    const { strategy, path, digest } = retrieval;
    if (strategy === 'file') return this.others.get(name)?.ranker(fixture) ?? null;
    if (strategy !== 'module' || path === undefined || digest === undefined) return null;
    const known = this.#rankers.get(name);
    if (known !== undefined) return known;
    const ranker = moduleRanker(this.#host(`arm ${name}`, 'strategy', { path, digest }));
    this.#rankers.set(name, ranker);
    return ranker;
  }

  /** What another system answered, where the arm is its file and holds an answer: then the reader is not asked. */
  givenAnswer(arm: ArmSettings, fixture: string, question: string): GivenAnswer | null {
    return this.others.get(arm.name)?.answerTo(fixture, question) ?? null;
  }

  /** Whether the reader is asked for an arm's question. */
  asksReader(arm: ArmSettings, fixture: string, question: string): boolean {
    return this.others.get(arm.name)?.asksReader(fixture, question) ?? true;
  }

  /** A row's scores by the matrix's scorer modules, in the matrix's order. */
  async scores(row: ScoredRow): Promise<{ readonly [scorer: string]: number | null }> {
    const scores: { [scorer: string]: number | null } = {};
    for (const [name, scorer] of Object.entries(this.loaded.matrix.modules?.scorers ?? {}))
      scores[name] = await scoreByModule(this.#host(`scorer ${name}`, 'scorer', scorer), row);
    return scores;
  }

  /** Ends the modules' threads. */
  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map((host) => host.close()));
  }

  #host(key: string, kind: ModuleKind, named: Pick<UserModule, 'path' | 'digest'>): ModuleHost {
    const known = this.#hosts.get(key);
    if (known !== undefined) return known;
    const module = { kind, ...named, file: pathInMatrix(this.loaded, named.path) };
    const host = new ModuleHost(module, timeLimit(this.loaded), this.clock);
    this.#hosts.set(key, host);
    return host;
  }
}

function timeLimit({ matrix }: LoadedMatrix): number {
  return matrix.modules?.time_limit_ms ?? 10_000;
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

async function findPolicy(loaded: LoadedMatrix, clock: Clock) {
  const { formation } = loaded.matrix;
  const path = formation?.policy_path;
  if (formation === null || path === undefined) return null;
  const found = await findModule('policy', path, pathInMatrix(loaded, path), timeLimit(loaded), clock);
  if (`module@${found.module.digest}` === formation.policy) return found;
  throw new InvalidInputErrors([
    invalidInput('MODULE_CHANGED', `the policy module ${path} is not the one that the matrix was loaded with`, {
      location: loaded.locate(['formation', 'policy']),
      remedy: 'start again, and leave the module alone meanwhile',
    }),
  ]);
}
