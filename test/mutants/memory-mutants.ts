import { type Mutant, mutantsOf } from './mutant.js';

const RECALL = ['src/memory/recall/open-recall.test.ts'];
const MODES = 'src/memory/recall/recall-modes.test.ts';
const FORMATION = ['src/memory/formation/form-history.test.ts'];
const ERASURES = ['src/memory/formation/corrections-and-erasures.test.ts'];
const RULES_OF_SIGHT = ['src/memory/beliefs/row-security.test.ts', ...RECALL, ...FORMATION];

/** The belief store, row security, formation and recall. */
export const memoryMutants: readonly Mutant[] = [
  ...mutantsOf('src/memory/beliefs/sql/0001-beliefs.sql', RULES_OF_SIGHT, [
    [
      'row-security-not-forced',
      'PG-4',
      "    execute format('alter table memory.%I force row level security', name);\n",
      '',
    ],
    [
      'row-security-not-enabled',
      'PG-4',
      "    execute format('alter table memory.%I enable row level security', name);\n",
      '',
    ],
    [
      'view-with-its-makers-rights',
      'PG-4',
      'create view memory.permitted_belief with (security_invoker = true) as',
      'create view memory.permitted_belief as',
    ],
    [
      'policy-of-any-owner',
      'PG-4',
      'for select using (tenant = (select memory.tenant()) and principal = (select memory.principal())%s)',
      'for select using (true%s)',
    ],
    [
      'ceiling-not-enforced',
      'RT-3 PG-4',
      "case when name in ('turn', 'belief') then ' and sensitivity <= (select memory.read_ceiling())' else '' end",
      "''",
    ],
    ['later-belief-is-visible', 'FX-7', 'where b.visible_from <= as_of collate "C"\n', 'where true\n'],
    ['later-supersession-counts', 'FX-7', '          and x.visible_from <= as_of collate "C")', '          )'],
    [
      'corrected-belief-is-recalled',
      'RT-3 FX-2',
      'select bool_and(s.turn_version = (',
      'select bool_and(s.turn_version <= (',
    ],
  ]),
  ...mutantsOf(
    'src/memory/recall/sql/0002-search.sql',
    [...RECALL, 'src/memory/beliefs/row-security.test.ts'],
    [
      ['corrected-turn-found-by-old-words', 'RT-3', 'and (t.erased or d.version <> t.version)', 'and t.erased'],
      [
        'search-tables-of-any-owner',
        'PG-4',
        "'(tenant = (select memory.tenant()) and principal = (select memory.principal()) and sensitivity <= (select memory.read_ceiling()))'",
        "'(true)'",
      ],
      [
        'later-documents-move-scores',
        'FX-7',
        'where d.unit = p_unit and d.visible_from <= p_as_of\n    ),',
        'where d.unit = p_unit\n    ),',
      ],
      [
        'recency-ties-turned',
        'RT-2',
        'order by i.at collate "C" desc, i.position desc limit p_limit',
        'order by i.at collate "C" desc, i.position limit p_limit',
      ],
    ],
  ),
  ...mutantsOf(
    'src/memory/recall/sql/0003-modes.sql',
    [...RECALL, MODES, 'src/memory/beliefs/row-security.test.ts'],
    [
      ['later-turn-is-recalled', 'FX-7', 'and not t.erased and t.said_at <= p_as_of collate "C"', 'and not t.erased'],
      [
        'erased-turn-is-recalled',
        'RT-3',
        "where p_unit = 'turns' and not t.erased and t.said_at",
        "where p_unit = 'turns' and t.said_at",
      ],
      ['core-of-the-least-supported', 'RT-1', 'and s.belief_id = b.id) desc,', 'and s.belief_id = b.id),'],
      [
        'superseded-belief-in-the-core',
        'RT-1',
        'from memory.visible_beliefs(p_as_of) b\n',
        'from memory.permitted_belief b\n',
      ],
      ['later-history-is-recalled', 'FX-7 RT-1', ' and p.visible_from <= p_as_of collate "C"', ''],
      [
        'history-of-withheld-beliefs',
        'RT-3',
        'select p.* from memory.permitted_belief p',
        'select p.* from memory.belief p',
      ],
      ['alias-of-a-later-turn', 'FX-7 RT-1', 'where not t.erased and t.said_at <= p_as_of collate "C"\n    )', ')'],
      ['alias-of-a-corrected-turn', 'RT-3 RT-1', ' and t.version = s.turn_version\n', '\n'],
    ],
  ),
  ...mutantsOf(
    'src/memory/recall/recall-result.ts',
    [MODES],
    [
      [
        'history-past-the-question',
        'FX-7',
        'compareCivilTimes(mode.as_of, present) < 0 ? mode.as_of : present',
        'mode.as_of',
      ],
    ],
  ),
  ...mutantsOf('src/memory/recall/open-recall.ts', RECALL, [
    [
      'recall-of-another-owner',
      'RT-3 PG-4',
      'if (query.owner.tenant !== owner.tenant || query.owner.principal !== owner.principal) {',
      'if (query.owner.tenant !== owner.tenant) {',
    ],
    [
      'evidence-reaches-any-arm',
      'FX-3',
      "if ((query.oracle_turns === null) === (strategy === 'evidence')) {",
      "if (query.oracle_turns === null && strategy === 'evidence') {",
    ],
  ]),
  ...mutantsOf(
    'src/memory/recall/ranking.ts',
    ['src/memory/recall/ranking.test.ts'],
    [
      [
        'fusion-ties-turned',
        'RT-2',
        'b.score - a.score || a.position - b.position',
        'b.score - a.score || b.position - a.position',
      ],
      ['scores-not-quantised', 'RT-2', 'return Math.round(score * 1e6) / 1e6 + 0;', 'return score;'],
    ],
  ),
  ...mutantsOf(
    'src/memory/recall/vector-index.ts',
    ['src/memory/recall/ranking.test.ts'],
    [
      [
        'vector-ties-turned',
        'RT-2',
        'b.score - a.score || a.position - b.position',
        'b.score - a.score || b.position - a.position',
      ],
    ],
  ),
  ...mutantsOf(
    'src/memory/recall/vector-recall.ts',
    ['src/memory/recall/vector-recall.test.ts'],
    [
      [
        'lookup-miss-not-told',
        'SQ-1',
        "return { effective_strategy: 'bm25', lookup_miss: found.miss,",
        "return { effective_strategy: 'bm25', lookup_miss: null,",
      ],
      [
        'old-vector-of-a-corrected-turn',
        'SQ-5 RT-3',
        '!index.holds(position, versions.get(position) ?? 1));\n  if (missing',
        '!index.holds(position, 1));\n  if (missing',
      ],
    ],
  ),
  ...mutantsOf(
    'src/memory/beliefs/postgres-belief-store.ts',
    [...ERASURES, ...FORMATION],
    [
      [
        'belief-outlives-its-erased-turn',
        'FX-2',
        '  await query(statements.DELETE_BELIEFS_RESTING_ON_TURN_ALONE, [turnId]);\n',
        '',
      ],
      ['belief-as-open-as-its-least-source', 'RT-3', 'Math.max(...sources', 'Math.min(...sources'],
      [
        'belief-visible-from-first-source',
        'FX-7',
        'visible_from: latestCivilTime(sources.map((source) => source.at)),',
        'visible_from: sources.map((source) => source.at).sort()[0],',
      ],
      [
        'append-mode-retires',
        'FB-4',
        "settings.mode === 'supersede' ? beliefs.flatMap(supersessionRows) : []",
        'beliefs.flatMap(supersessionRows)',
      ],
      ['store-that-is-not-empty', 'FB-4', 'if (row?.found === false) return;', 'if (row !== undefined) return;'],
    ],
  ),
  ...mutantsOf(
    'src/memory/beliefs/statements.ts',
    [...ERASURES, 'test/property/formation-history.test.ts'],
    [
      [
        'erasure-takes-beliefs-of-other-turns',
        'FX-2',
        '\n  and not exists (select 1 from memory.belief_source s where s.belief_id = b.id and s.turn_id <> $1)`',
        '`',
      ],
      ['erased-turn-is-corrected', 'FX-2', 'where id = $1 and not erased\nreturning', 'where id = $1\nreturning'],
    ],
  ),
  ...mutantsOf(
    'src/memory/formation/completion-check.ts',
    ['src/memory/formation/completion-check.test.ts'],
    [
      ['unknown-source-is-taken', 'FB-4', 'if (!turns.has(id)) refuse(', 'if (turns.size === 0) refuse('],
      [
        'unknown-reference-is-taken',
        'FB-4',
        'if (!shown.has(reference)) refuse(',
        'if (reference === undefined) refuse(',
      ],
      [
        'date-that-is-none',
        'FX-5',
        'if (isCivilTime(given) || isCivilTime(`${given}T00:00:00`)) return given;',
        'if (given !== undefined) return given;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/memory/formation/formation-request.ts',
    ['test/architecture/floors.test.ts'],
    [
      [
        'formation-reaches-labels',
        'FX-3',
        "import type { FormationPolicy, ShownState } from './formation-policy.js';",
        "import type { FormationPolicy, ShownState } from './formation-policy.js';\nimport type { Label } from '../../fixture/label.js';\nexport type Gold = Label;",
      ],
    ],
  ),
];
