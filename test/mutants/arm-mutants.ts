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
      ['axes-without-a-bound', 'MX-3', 'if (variants.length === MOST_ARMS)', 'if (variants.length < 0)'],
      ['axis-value-twice', 'MX-3', 'if (seen.size < seen.add(value).size) return [];', 'if (index >= 0) return [];'],
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
    [
      ['every-mode-is-standard-to-a-lookup', 'SQ-6', 'scope: parts.mode.name,', "scope: 'standard',"],
      [
        'lookup-is-told-of-labels',
        'SQ-3 SQ-7 FX-3',
        'subjects: query.question.subjects,',
        'subjects: query.question.subjects, ...{ oracle: query.oracle_turns },',
      ],
    ],
  ),
  ...mutantsOf(
    'src/module/module-host.ts',
    ['src/module/module-host.test.ts'],
    [
      ['edited-module-is-started', 'RT-6 MX-7', 'if (found !== module.digest)', "if (found === 'sha256:')"],
      ['thread-is-never-ended', 'RT-6', '    await this.close();\n    if (heard', '    if (heard'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/user-parts/bound-modules.ts',
    ['src/experiment/user-parts/bound-modules.test.ts'],
    [['changed-module-is-opened', 'RT-6 MX-7', '=== digest) continue;', "!== '') continue;"]],
  ),
  ...mutantsOf(
    'src/module/module-thread.ts',
    ['src/module/module-host.test.ts'],
    [['module-sees-our-variables', 'RS-4 RT-6', '      env: {},\n', '']],
  ),
  ...mutantsOf(
    'src/module/module-worker.cjs',
    ['src/module/module-host.test.ts'],
    [['module-speaks-on-its-channel', 'RT-6', 'delete workerData.port;\n', '']],
  ),
  ...mutantsOf(
    'src/core/yaml-nodes.ts',
    ['src/core/yaml-source.test.ts'],
    [
      ['alias-of-itself-is-followed', 'MX-2', 'source !== undefined && path.includes(source)', 'source === undefined'],
      ['proto-key-is-passed-over', 'MX-2', "key.value === '__proto__'", "key.value === ''"],
    ],
  ),
  ...mutantsOf(
    'src/module/module-files.ts',
    ['src/module/module-host.test.ts'],
    [
      [
        'imports-are-not-bound',
        'RT-6',
        "if (specifier.startsWith('.')) waiting.push",
        "if (specifier === '.') waiting.push",
      ],
    ],
  ),
  ...mutantsOf(
    'src/memory/recall/outside-recall.ts',
    ['src/memory/recall/outside-recall.test.ts'],
    [
      ['outside-ties-turned', 'RT-2 RT-6', '|| a.position - b.position', '|| b.position - a.position'],
      ['outside-scores-not-quantised', 'RT-2 RT-6', 'score: exact }', 'score }'],
      ['score-without-millionths', 'RT-2 RT-6', 'if (!Number.isFinite(exact))', 'if (!Number.isFinite(score))'],
      ['outside-item-twice', 'RT-6', 'if (seen.has(id))', "if (id === '')"],
      ['outside-more-than-the-limit', 'RT-6', 'if (ranking.length > limit)', 'if (ranking.length < 0)'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/user-parts/other-system.ts',
    ['src/experiment/user-parts/other-system.test.ts'],
    [
      ['turn-that-nobody-may-see', 'FX-7 RT-7', '.filter(({ turn }) => permitted.has(turn))', ''],
      [
        'question-without-a-line',
        'RT-7',
        'if (seen.has(keyOf(id, question))) continue;',
        'if (id !== question) continue;',
      ],
      ['two-lines-of-a-question', 'RT-7', 'if (seen.has(key))', "if (key === '')"],
    ],
  ),
  ...mutantsOf(
    'src/experiment/user-parts/other-system-file.ts',
    ['src/experiment/user-parts/other-system.test.ts'],
    [['replaced-rankings', 'MX-7 RT-7', 'if (digestBytes(bytes) !== digest)', "if (digest === 'sha256:')"]],
  ),
];
