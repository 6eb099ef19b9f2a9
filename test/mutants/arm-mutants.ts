import { type Mutant, mutantsOf } from './mutant.js';

/** Recall modes, axes, and what stands in for built-in parts. */
export const armMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/matrix/axes.ts',
    ['src/matrix/axes.test.ts'],
    [
      ['axis-of-what-is-shared', 'MX-5 MX-3', 'if (!AXIS_KEYS.includes(key)) return [notAnAxis(source, key)];', ''],
      ['axis-replaces-an-arms-own-value', 'MX-3', 'valueAt(arm, key) !== undefined)', 'valueAt(arm, key) === null)'],
      [
        'first-axis-fastest',
        'MX-3',
        'const [axis, ...rest] = axes;',
        'const axis = axes.at(-1);\n  const rest = axes.slice(0, -1);',
      ],
      ['axes-without-a-bound', 'MX-3', 'if (variants.length > MOST_ARMS)', 'if (variants.length < 0)'],
      ['axis-value-twice', 'MX-3', 'if (values.indexOf(value) === index) return [];', 'if (index >= 0) return [];'],
    ],
  ),
  ...mutantsOf(
    'src/matrix/check-modes.ts',
    ['src/matrix/check-modes.test.ts'],
    [
      [
        'vectors-in-any-mode',
        'SQ-6',
        "if (strategy === 'semantic' || strategy === 'hybrid') {",
        "if (strategy === 'none') {",
      ],
      ['core-of-turns', 'RT-1', "if (mode === 'core' && unit === 'turns'", "if (mode === 'core' && unit === 'beliefs'"],
    ],
  ),
  ...mutantsOf(
    'src/memory/recall/vector-recall.ts',
    ['src/memory/recall/vector-recall.test.ts'],
    [['every-mode-is-standard-to-a-lookup', 'SQ-6', 'scope: parts.mode.name,', "scope: 'standard',"]],
  ),
];
