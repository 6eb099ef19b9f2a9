import { type Mutant, mutantsOf } from './mutant.js';

const LINES = ['src/lessons/injection/lesson-lines.test.ts'];
const RUN = ['src/experiment/lessons-run.test.ts'];

/** Lessons in contexts (LE-4, LE-6). */
export const lessonInjectionMutants: readonly Mutant[] = [
  ...mutantsOf('src/lessons/projection.ts', LINES, [
    ['every-lesson-is-projected', 'LE-4', 'lessons: retrievableLessons(lessons),', 'lessons: [...lessons],'],
  ]),
  ...mutantsOf('src/lessons/injection/restore-projection.ts', LINES, [
    ['any-state-is-restored', 'LE-4', "z.enum(['verified', 'enforced'])", 'z.string()'],
    ['any-id-is-restored', 'LE-6', 'lesson === lessonOf(fingerprint)', "lesson !== ''"],
  ]),
  ...mutantsOf('src/lessons/injection/lesson-lines.ts', LINES, [
    [
      'lessons-of-any-scope',
      'LE-6',
      'canonicalJson(scopeOf(corpus, question))',
      '[...this.#byScope.keys()][0] as string',
    ],
    ['verified-before-enforced', 'LE-6', "Number(b.state === 'enforced') -", "Number(b.state === 'verified') -"],
    ['equal-texts-stand-twice', 'LE-6', 'byText.set(text, [', 'byText.set(`${text}${lesson}`, ['],
  ]),
  ...mutantsOf(
    'src/lessons/injection/lesson-book.ts',
    ['src/lessons/injection/lesson-book.test.ts'],
    [
      [
        'origin-is-known-once-it-fails',
        'LE-6',
        '({ is_imported }) => is_imported',
        '({ learnt_from }) => learnt_from.length === 0',
      ],
      ['torn-log-is-not-told', 'LE-6', 'if (torn_bytes > 0) note(', 'if (torn_bytes < 0) note('],
      ['in-sample-of-any-corpus', 'LE-6', 'fingerprint.scope.corpus === corpus', "corpus !== ('' as string)"],
    ],
  ),
  ...mutantsOf('src/lessons/injection/lesson-text.ts', LINES, [
    ['subjects-are-left-out', 'LE-6', "subjects.join(', ');", "'';"],
  ]),
  ...mutantsOf(
    'src/memory/context/context-assembler.ts',
    ['src/memory/context/context-assembler.test.ts'],
    [
      ['hostile-subject-ends-its-line', 'LE-6 RS-4', 'preface.lines.map(oneLine)', 'preface.lines'],
      ['lessons-beside-the-budget', 'LE-6 RT-4', 'let tokens = before.tokens;', 'let tokens = 0;'],
      ['lessons-without-a-bound', 'LE-6', 'if (taken.tokens + more > most) break;', ''],
    ],
  ),
  ...mutantsOf(
    'src/provider/local/reader/lines.ts',
    ['src/provider/local/reader/reader.test.ts'],
    [['lesson-is-a-note', 'LE-6', "body = '']", 'body = line]']],
  ),
  ...mutantsOf('src/experiment/asking/retrieval.ts', RUN, [
    ['every-arm-is-taught', 'LE-6', 'context?.lesson_tokens ?? 0', 'context?.lesson_tokens ?? 200'],
    ['row-lists-what-did-not-fit', 'LE-6', 'this.#context?.preface ?? 0', 'this.#context?.lines.length ?? 0'],
  ]),
  ...mutantsOf(
    'src/experiment/asking/retrieval.ts',
    ['src/experiment/lessons-deliberate.test.ts'],
    [
      [
        'searches-begin-untaught',
        'LE-6 RT-8',
        'lines: this.#lessons.map(({ text }) => text),',
        'lines: this.#recalled === null ? [] : this.#lessons.map(({ text }) => text),',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/user-parts/check-other-systems.ts',
    ['src/experiment/user-parts/check-other-systems.test.ts'],
    [
      [
        'lessons-beside-answers',
        'LE-6 RT-7',
        'if (other === undefined || arm.context === undefined) return [];',
        'return [];',
      ],
      [
        'rankings-are-not-read',
        'LE-6 RT-7',
        'other.answerTo(id, question) !== null',
        'other.answerTo(id, question) !== undefined',
      ],
    ],
  ),
  ...mutantsOf(
    'src/report/tables/injection-table.ts',
    ['src/report/tables/run-table.test.ts'],
    [['in-sample-is-not-told', 'LE-6', 'if (count === 0) return [];', 'return [];']],
  ),
  ...mutantsOf(
    'src/experiment/summary/lesson-pairs.ts',
    ['src/experiment/summary/lesson-pairs.test.ts'],
    [
      ['pair-without-a-lesson', 'LE-6', 'row.lessons.length === 0 || ', ''],
      ['any-arm-is-a-twin', 'LE-6', ' && butForLessons(other) === butForLessons(arm)', ''],
      ['pairs-are-mixed', 'LE-6', 'isInSample === isIn)', 'isInSample !== null)'],
    ],
  ),
  ...mutantsOf('src/experiment/summary/in-sample.ts', RUN, [
    ['all-is-in-sample', 'LE-6', '.filter((question) => learntFrom.has(question))', ''],
  ]),
  ...mutantsOf('src/experiment/bind-lessons.ts', RUN, [
    ['resumed-with-any-lessons', 'LE-6 OB-5', 'if (named.digest === kept.digest) return kept;', 'return kept;'],
    ['kept-lessons-are-not-checked', 'LE-6 OB-3', 'if (digestText(text) !== bound)', 'if (bound === null)'],
    [
      'log-is-read-again',
      'LE-6 OB-5',
      'book.isNamed ? await book.read(noting(told.progress)) : kept;',
      'await book.read(noting(told.progress));',
    ],
  ]),
  ...mutantsOf('src/experiment/reproducing/reproduce.ts', RUN, [
    [
      'taught-arm-without-a-run',
      'RP-1 LE-6',
      'if (options.against === null && arm.context !== undefined) throw needsRun(arm, TAUGHT);',
      '',
    ],
  ]),
  ...mutantsOf(
    'src/matrix/check-lessons.ts',
    ['src/matrix/check-lessons.test.ts'],
    [
      ['lessons-of-any-size', 'LE-6', 'tokens > contextTokens', 'tokens < 0'],
      ['bound-without-lessons', 'LE-6', 'if (tokens === undefined && arm', 'if (tokens !== undefined && arm'],
    ],
  ),
];
