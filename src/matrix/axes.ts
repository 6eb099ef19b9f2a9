import { invalidInput, type RecallMatrixError, type SourceLocation } from '../core/errors.js';
import { checkYaml, type YamlPath, type YamlSource } from '../core/yaml-source.js';
import type { Strategy } from '../memory/memory.js';
import { type AuthoredArm, armSchema, retrievalKeys } from './arm-schema.js';
import { takesQuery } from './check-recall.js';
import { scoresVectors } from './matrix.js';
import type { AuthoredMatrix } from './matrix-schema.js';

/** The keys that an axis can vary: what is an arm's own, but for what tells arms apart (its name, strategy and file). */
const AXIS_KEYS = ['unit', 'limit', 'mode', 'as_of', 'core_size', 'read_ceiling']
  .map((key) => `retrieval.${key}`)
  .concat('recall', 'query_preparation', 'context.lessons', 'context.lesson_tokens');
/** Keys of an arm that tell arms apart. */
const OWN_KEYS = ['name', 'retrieval', 'context', 'retrieval.strategy', 'retrieval.path'];
const MOST_ARMS = 200;

/** A matrix whose axes were multiplied out. */
export interface ExpandedMatrix {
  readonly authored: AuthoredMatrix;
  /** The same file; places below `arms` are those of the expanded arms, and lead to the axis's value where an axis set it. */
  readonly source: YamlSource;
  readonly faults: readonly RecallMatrixError[];
}

type AxisValue = string | number | boolean;

interface RawArm {
  readonly name: string;
  readonly retrieval: { readonly [key: string]: unknown };
  readonly recall?: unknown;
  readonly query_preparation?: unknown;
  readonly context?: { readonly [key: string]: unknown };
}

/** One arm of the file with some axes applied. */
interface Variant {
  readonly arm: RawArm;
  /** Its place under `arms` in the file. */
  readonly origin: number;
  /** By axis: the place of its value. */
  readonly applied: ReadonlyMap<string, number>;
}

/**
 * Multiplies every arm by every combination of the axes that it has (MX-3; docs/axes.md): arms in the file's order, of each the last
 * axis fastest. A combination adds `+<key>-<value>` for each axis to the arm's name.
 */
export function expandAxes(source: YamlSource, authored: AuthoredMatrix): ExpandedMatrix {
  const axes = Object.entries(authored.axes);
  if (axes.length === 0) return { authored, source, faults: [] };
  const raw = (source.value as { arms: readonly RawArm[] }).arms;
  const faults = [...axisFaults(source, axes), ...conflictFaults(source, raw, axes)];
  if (faults.length > 0) return { authored, source, faults };
  const variants: Variant[] = [];
  for (const variant of multiplied(raw, axes)) {
    // A few axes of many values make more arms than memory holds: they are refused without being made.
    if (variants.length === MOST_ARMS) return { authored, source, faults: [tooManyArms(source)] };
    variants.push(variant);
  }
  const used = new Set(variants.flatMap(({ applied }) => [...applied.keys()]));
  faults.push(...axes.filter(([key]) => !used.has(key)).map(([key]) => idleAxis(source, key)));
  if (faults.length > 0) return { authored, source, faults };
  const placed = { ...source, locate: (path: YamlPath) => locate(source, variants, path) };
  const arms: AuthoredArm[] = [];
  for (const [index, { arm }] of variants.entries()) {
    const within = (path: YamlPath): SourceLocation => placed.locate(['arms', index, ...path]);
    const checked = checkYaml(
      { ...source, value: arm, locate: within, locateKey: (path, key) => within([...path, key]) },
      armSchema,
    );
    if (checked.value === null) faults.push(...checked.faults);
    else arms.push(checked.value);
  }
  return { authored: { ...authored, arms }, source: placed, faults: distinct(faults) };
}

function axisFaults(source: YamlSource, axes: readonly [string, readonly AxisValue[]][]): RecallMatrixError[] {
  return axes.flatMap(([key, values]) => {
    if (!AXIS_KEYS.includes(key)) return [notAnAxis(source, key)];
    const seen = new Set<AxisValue>();
    return values.flatMap((value, index) => {
      if (seen.size < seen.add(value).size) return [];
      return [
        invalidInput('AXIS_VALUE_TWICE', `the axis ${key} has the value ${value} twice`, {
          location: source.locate(['axes', key, index]),
          remedy: 'remove one: its arms would be equal',
        }),
      ];
    });
  });
}

function notAnAxis(source: YamlSource, key: string): RecallMatrixError {
  const own = OWN_KEYS.includes(key);
  const why = own
    ? 'it is what tells arms apart: write the arms out'
    : 'all arms of a matrix share it (MX-5): use a matrix for each value';
  const known = own || (key !== 'arms' && Object.hasOwn(source.value as object, key.split('.')[0] as string));
  return invalidInput(
    'AXIS_REFUSED',
    known ? `${key} can be no axis: ${why}` : `${key} can be no axis: there is no such key of an arm`,
    {
      location: source.locateKey(['axes'], key),
      remedy: `axes may be: ${AXIS_KEYS.join(', ')}`,
    },
  );
}

function conflictFaults(
  source: YamlSource,
  arms: readonly RawArm[],
  axes: readonly [string, readonly AxisValue[]][],
): RecallMatrixError[] {
  return arms.flatMap((arm, index) =>
    axes
      .filter(([key]) => AXIS_KEYS.includes(key) && valueAt(arm, key) !== undefined)
      .map(([key]) =>
        invalidInput('AXIS_CONFLICT', `the arm ${arm.name} sets ${key}, and so does an axis`, {
          location: source.locate(['arms', index, ...key.split('.')]),
          remedy: 'keep one of them',
        }),
      ),
  );
}

function* multiplied(arms: readonly RawArm[], axes: readonly [string, readonly AxisValue[]][]): Generator<Variant> {
  for (const [origin, arm] of arms.entries()) yield* multiply({ arm, origin, applied: new Map() }, axes);
}

function* multiply(variant: Variant, axes: readonly [string, readonly AxisValue[]][]): Generator<Variant> {
  const [axis, ...rest] = axes;
  if (axis === undefined) {
    yield variant;
    return;
  }
  const [key, values] = axis;
  if (!hasKey(variant.arm, key)) {
    yield* multiply(variant, rest);
    return;
  }
  for (const [index, value] of values.entries()) {
    const arm = { ...withValue(variant.arm, key, value), name: `${variant.arm.name}+${suffix(key, value)}` };
    yield* multiply({ ...variant, arm, applied: new Map([...variant.applied, [key, index]]) }, rest);
  }
}

/** An arm that a key means nothing to is not multiplied by it: its copies would be equal. */
function hasKey(arm: RawArm, key: string): boolean {
  const { strategy, mode } = arm.retrieval;
  if (key === 'recall') return takesQuery(strategy as Strategy);
  if (key === 'query_preparation') return scoresVectors(strategy as Strategy);
  if (key === 'context.lessons') return true;
  if (key === 'context.lesson_tokens') return arm.context?.lessons === 'inject';
  const name = key.slice('retrieval.'.length);
  if (strategy === 'none') return false;
  if (name === 'as_of') return mode === 'historical';
  if (name === 'core_size') return mode === 'core';
  return retrievalKeys(strategy).includes(name);
}

function valueAt(arm: RawArm, key: string): unknown {
  if (isArmKey(key)) return arm[key];
  const [part, name] = partOf(key);
  return arm[part]?.[name];
}

function withValue(arm: RawArm, key: string, value: AxisValue): RawArm {
  if (isArmKey(key)) return { ...arm, [key]: value };
  const [part, name] = partOf(key);
  return { ...arm, [part]: { ...arm[part], [name]: value } };
}

/** Keys of an arm itself; the others are of its retrieval or its context. */
function isArmKey(key: string): key is 'recall' | 'query_preparation' {
  return key === 'recall' || key === 'query_preparation';
}

function partOf(key: string): ['retrieval' | 'context', string] {
  return key.split('.') as ['retrieval' | 'context', string];
}

/** What a name can hold of a key and its value. */
function suffix(key: string, value: AxisValue): string {
  return `${key.split('.').at(-1)}-${String(value).replace(/[^A-Za-z0-9._@-]/g, '.')}`;
}

function locate(source: YamlSource, variants: readonly Variant[], path: YamlPath): SourceLocation {
  const [head, index, ...rest] = path;
  const variant = head === 'arms' && typeof index === 'number' ? variants[index] : undefined;
  if (variant === undefined) return source.locate(path);
  const key = rest.join('.');
  const place = variant.applied.get(key);
  return place === undefined ? source.locate(['arms', variant.origin, ...rest]) : source.locate(['axes', key, place]);
}

function idleAxis(source: YamlSource, key: string): RecallMatrixError {
  return invalidInput('AXIS_WITHOUT_ARM', `no arm has the key ${key}`, {
    location: source.locateKey(['axes'], key),
    remedy: 'remove the axis, or add an arm whose strategy (or mode) has the key',
  });
}

function tooManyArms(source: YamlSource): RecallMatrixError {
  return invalidInput('TOO_MANY_ARMS', `the axes make more than ${MOST_ARMS} arms, which is the most that are run`, {
    location: source.locate(['axes']),
    remedy: 'take fewer values, or split the matrix',
  });
}

/** One wrong value is one fault, however many arms it reaches. */
function distinct(faults: readonly RecallMatrixError[]): RecallMatrixError[] {
  const seen = new Map(
    faults.map((fault) => [`${fault.code}\0${fault.message}\0${JSON.stringify(fault.location)}`, fault]),
  );
  return [...seen.values()];
}
