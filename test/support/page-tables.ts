/** A table of a report's page, as text: by what is read, and not by where it stands. */
export interface PageTable {
  readonly caption: string;
  /** Without the first, which names the rows. */
  readonly head: readonly string[];
  /** By their names, without marks. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** Every table of a page; one that stands divided, as one. */
export function pageTables(html: string): PageTable[] {
  const whole = new Map<string, PageTable>();
  for (const [table] of html.matchAll(/<table[\s\S]*?<\/table>/g)) {
    const [caption = ''] = all(table, 'caption');
    const [name] = caption.split(/ \(\d+ of \d+\)$/) as [string];
    const [first = '', ...lines] = all(table, 'tr', (html) => html);
    const [, ...head] = all(first, 'th');
    const before = whole.get(name);
    whole.set(name, {
      caption: name,
      head: [...(before?.head ?? []), ...head],
      rows: new Map(
        lines.map((line) => {
          const [row = ''] = all(line, 'th', withoutMarks);
          return [row, [...(before?.rows.get(row) ?? []), ...all(line, 'td')]];
        }),
      ),
    });
  }
  return [...whole.values()];
}

/** The text of one cell, by what its table, row and column are called. */
export function pageCell(tables: readonly PageTable[], caption: RegExp, row: string, column: RegExp): string {
  const found = tables.filter((table) => caption.test(table.caption));
  const [table] = found;
  if (table === undefined || found.length > 1) throw new Error(`${found.length} tables are called ${caption}`);
  const place = table.head.findIndex((name) => column.test(name));
  const cell = table.rows.get(row)?.[place];
  if (cell === undefined)
    throw new Error(`no ${column} of ${row} in: ${JSON.stringify([table.head, [...table.rows.keys()]])}`);
  return cell;
}

/** What a person reads of some markup. */
export function pageText(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

function withoutMarks(html: string): string {
  return pageText(html.replace(/<small>[\s\S]*?<\/small>/g, ''));
}

function all(html: string, element: string, read: (inner: string) => string = pageText): string[] {
  return [...html.matchAll(new RegExp(`<${element}(?: [^>]*)?>([\\s\\S]*?)</${element}>`, 'g'))].map(([, inner]) =>
    read(inner as string),
  );
}
