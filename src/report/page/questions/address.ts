/** What is chosen; an empty string chooses everything. */
export interface Filters {
  readonly arm: string;
  /** Of two arms: the one that is right about a question, and the one that is wrong. */
  readonly right: string;
  readonly wrong: string;
  readonly fixture: string;
  readonly category: string;
  /** `in`: a lesson was learnt from the question; `out`: none is known to be (LE-6). */
  readonly sample: string;
  readonly result: string;
  readonly state: string;
  readonly cause: string;
  readonly text: string;
  readonly sort: string;
}

export const NO_FILTERS: Filters = {
  arm: '',
  right: '',
  wrong: '',
  fixture: '',
  category: '',
  sample: '',
  result: '',
  state: '',
  cause: '',
  text: '',
  sort: '',
};

/** What the address says after `#`: what is chosen, and the question that is open. */
export interface Address {
  readonly filters: Filters;
  readonly open: { readonly fixture: string; readonly question: string } | null;
}

/** Reads `#arm=bm25&cause=misread&q=fixture/question`; null where it is an anchor of the page, or nothing. */
export function readAddress(hash: string): Address | null {
  if (!hash.includes('=')) return null;
  const filters: Record<string, string> = { ...NO_FILTERS };
  let open: Address['open'] = null;
  for (const pair of hash.replace(/^#/, '').split('&')) {
    const cut = pair.indexOf('=');
    const [name, value] = [pair.slice(0, cut), pair.slice(cut + 1)];
    if (Object.hasOwn(NO_FILTERS, name)) filters[name] = decoded(value);
    if (name === 'q') {
      const slash = value.indexOf('/');
      open = { fixture: decoded(value.slice(0, slash)), question: decoded(value.slice(slash + 1)) };
    }
  }
  return { filters: filters as unknown as Filters, open };
}

/** The same, written; `#questions` where nothing is chosen and nothing is open. */
export function writeAddress({ filters, open }: Address): string {
  const chosen = Object.entries(filters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const parts =
    open === null ? chosen : [...chosen, `q=${encodeURIComponent(open.fixture)}/${encodeURIComponent(open.question)}`];
  return parts.length === 0 ? '#questions' : `#${parts.join('&')}`;
}

/** A text that was not encoded by us stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A link into the questions, to those that are chosen. */
export function questionsLink(chosen: Partial<Filters>): string {
  return writeAddress({ filters: { ...NO_FILTERS, ...chosen }, open: null });
}
