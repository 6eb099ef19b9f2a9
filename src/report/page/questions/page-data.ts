// What the page's script is handed: types alone, shared by the writer (Node) and `client/` (a browser).

/** Rows of one kind in the list's filters and marks. `lost`: to the provider or the budget; it is in no mean. */
export const ROW_STATES = ['answered', 'abstained', 'failed', 'lost'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** Block `questions-index`: every question and row, in few bytes each. Columns have one entry a question, or a row. */
export interface QuestionIndex {
  readonly arms: readonly { readonly name: string; readonly reference: boolean }[];
  readonly fixtures: readonly string[];
  readonly categories: readonly string[];
  readonly causes: readonly string[];
  /** The scorer that says right or wrong; null where none looks at answers. An answer that scores less than `right_from` is wrong. */
  readonly scorer: string | null;
  readonly right_from: number;
  /** Why a fixture's own files are not shown, by its place in `fixtures`; null where they are. */
  readonly missing: readonly (string | null)[];
  readonly questions: {
    readonly fixture: readonly number[];
    readonly id: readonly string[];
    readonly category: readonly number[];
    readonly answerable: readonly (0 | 1)[];
    /** 1: a lesson of the run was learnt from it (LE-6); null where the run has no lessons. */
    readonly in_sample: readonly (0 | 1)[] | null;
    /** Null where neither the fixture nor a request holds it. */
    readonly text: readonly (string | null)[];
    readonly expected: readonly (string | null)[];
    /** The block that holds its details: `details-N`. */
    readonly block: readonly number[];
  };
  readonly rows: {
    readonly question: readonly number[];
    readonly arm: readonly number[];
    readonly replicate: readonly number[];
    readonly state: readonly number[];
    /** -1: none. */
    readonly cause: readonly number[];
    /** By `scorer`, as its mean counts it: 0 for a failure of the arm's own doing, null for a lost row (OB-4). */
    readonly score: readonly (number | null)[];
    /** Its beginning. */
    readonly answer: readonly (string | null)[];
  };
}

/** Block `texts-F`: what the details of one fixture refer to by place. */
export interface FixtureTexts {
  /** Lines and pieces of requests. */
  readonly pieces: readonly string[];
  readonly turns: readonly TurnText[];
  readonly items: readonly ItemText[];
  readonly lessons: readonly LessonText[];
}

/** A lesson that stood in some context (LE-6). */
export interface LessonText {
  readonly id: string;
  /** Null where the run folder does not hold it. */
  readonly text: string | null;
}

export interface TurnText {
  readonly id: string;
  readonly session: string | null;
  readonly at: string | null;
  readonly speaker: string | null;
  /** Null where it was erased, or is not at hand. */
  readonly text: string | null;
  readonly caption: string | null;
  readonly erased: boolean;
}

/** A belief, or a turn that was recalled as itself. */
export interface ItemText {
  readonly id: string;
  readonly kind: 'belief' | 'turn' | 'unknown';
  readonly text: string | null;
  readonly subjects: readonly string[];
  readonly at: string | null;
  /** Ids of the beliefs that superseded it. */
  readonly superseded_by: readonly string[];
  /** Places in `turns`. */
  readonly sources: readonly number[];
}

/** Block `details-N`: questions by their place in the index. */
export interface DetailBlock {
  /** Place in `fixtures`. */
  readonly fixture: number;
  readonly questions: { readonly [question: number]: QuestionDetail };
}

export interface QuestionDetail {
  /** Whole; null where neither the fixture nor a request holds it. */
  readonly text: string | null;
  readonly asked_at: string | null;
  readonly subjects: readonly string[];
  /** Null where the fixture is not at hand. */
  readonly expected: readonly string[] | null;
  /** Places in `turns`; null where the fixture is not at hand. */
  readonly evidence: readonly number[] | null;
  readonly answers: readonly AnswerDetail[];
}

export interface AnswerDetail {
  /** Place in `arms`. */
  readonly arm: number;
  readonly replicate: number;
  readonly repeat: number;
  readonly state: RowState;
  readonly answer: string | null;
  readonly scores: { readonly [scorer: string]: number | null };
  readonly judgements: readonly JudgementDetail[];
  readonly miss: { readonly cause: string; readonly turns: readonly string[] } | null;
  /** Why there is no answer: in words. */
  readonly problem: string | null;
  /** How it searched, and what it fell back to. */
  readonly strategy: string;
  readonly lookup_miss: string | null;
  readonly oracle: boolean;
  readonly retrieved: readonly RetrievedItem[];
  readonly searches: readonly SearchDetail[];
  /** Places in `lessons`. */
  readonly lessons: readonly number[];
  /** Null where no context was assembled. */
  readonly context_tokens: number | null;
  /** The exact request; null where none was made, or the folder does not hold it. */
  readonly request: RequestText | null;
  readonly request_digest: string | null;
  /** Nano-dollars; null: unknown, or unpriced. */
  readonly attributed_nano_usd: number | null;
  readonly actual: { readonly calls: number; readonly nano_usd: number; readonly uncertain_nano_usd: number };
  readonly timings_ms: { readonly recall: number; readonly context: number; readonly reader: number } | null;
  readonly reported_models: readonly string[];
}

/** Item (place in `items`), rank, score, tokens of its line, and whether its line was in the context (null: there was none). */
export type RetrievedItem = readonly [
  item: number,
  rank: number,
  score: number | null,
  tokens: number | null,
  in_context: boolean | null,
];

/** What a judge made of an answer (OB-7). */
export interface JudgementDetail {
  readonly judge: string;
  /** `rule`: the abstention decides; null: the judge gave no verdict, for `problem`. */
  readonly by: 'judge' | 'rule' | null;
  readonly correct: number;
  readonly verdicts: number;
  readonly problem: string | null;
  /** By repeat; none where the run folder does not hold them. */
  readonly said: readonly { readonly repeat: number; readonly correct: boolean; readonly reason: string }[];
}

export interface SearchDetail {
  readonly query: string;
  readonly subjects: readonly string[];
  readonly strategy: string;
  readonly lookup_miss: string | null;
  /** Places in `items`, best first. */
  readonly found: readonly number[];
  readonly new_lines: number;
}

export interface RequestText {
  readonly model: string;
  /** A message is its pieces, by place in `pieces`, one after another. */
  readonly messages: readonly { readonly role: string; readonly pieces: readonly number[] }[];
}
