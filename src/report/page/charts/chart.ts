import type { Config, TopLevelSpec } from 'vega-lite';

/** The room that a chart has. It is drawn once for each, and the style shows the one that fits. */
export interface ChartRoom {
  /** Of what lies between the axes, in pixels, where nothing stands to its right. */
  readonly width: number;
  /** A phone: labels are cut shorter, and legends stand above. */
  readonly isNarrow: boolean;
}

const ROOMS: readonly ChartRoom[] = [
  { width: 560, isNarrow: false },
  { width: 175, isNarrow: true },
];

/** A legend above the chart, one below another where it is narrow. */
export function legendAbove({ isNarrow }: ChartRoom) {
  return { title: null, orient: 'top', ...(isNarrow ? { columns: 1 } : {}) } as const;
}

/** A legend to the right, where there is room for one. */
export function legendBeside({ isNarrow }: ChartRoom) {
  return isNarrow
    ? ({ title: null, orient: 'top', columns: 2, labelLimit: 110 } as const)
    : ({ title: null, orient: 'right' } as const);
}

/** The width of a chart with a legend to its right. */
export function widthBeside({ width, isNarrow }: ChartRoom): number {
  return isNarrow ? width + 50 : width - 60;
}

/** How many numbers an axis has room for, so that none of them, 0 above all, goes without its label. */
export function tickCount({ isNarrow }: ChartRoom): number {
  return isNarrow ? 3 : 8;
}

/** What a chart is to those who do not see it. */
export interface ChartText {
  /** Unique in the page, of letters, digits and hyphens: ids inside the SVG begin with it. */
  readonly name: string;
  readonly title: string;
  /** What it shows, in one or two sentences: the numbers stand in the table beside it. */
  readonly description: string;
}

/** Colours are the page's variables, so that light, dark and print are the style's affair alone. */
const CONFIG: Config = {
  background: 'transparent',
  font: 'inherit',
  aria: false,
  padding: 4,
  view: { stroke: null },
  axis: {
    labelColor: 'var(--ink)',
    titleColor: 'var(--muted)',
    gridColor: 'var(--line)',
    domainColor: 'var(--line)',
    tickColor: 'var(--line)',
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelLimit: 220,
  },
  legend: {
    labelColor: 'var(--ink)',
    titleColor: 'var(--muted)',
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelLimit: 260,
  },
  header: { labelColor: 'var(--ink)', titleColor: 'var(--muted)', labelFontSize: 12, labelFontWeight: 'bold' },
  text: { color: 'var(--ink)', fontSize: 12 },
  rule: { color: 'var(--muted)' },
};

const NARROW_CONFIG: Config = { ...CONFIG, axis: { ...CONFIG.axis, labelLimit: 130 } };

/**
 * Draws a chart as SVG elements of the page, one for each room that it may have. Equal specifications give equal bytes: ids do not depend on what was drawn before.
 * Vega is loaded when the first chart is drawn, and not by other verbs.
 *
 * @param specOf its words are escaped, and data must reach it as values alone, never as a field's name or an expression.
 */
export async function renderChart(specOf: (room: ChartRoom) => TopLevelSpec, text: ChartText): Promise<string> {
  const drawn = [];
  for (const room of ROOMS) drawn.push(await drawnIn(room, specOf(room), text));
  return drawn.join('');
}

async function drawnIn(room: ChartRoom, spec: TopLevelSpec, { name, title, description }: ChartText): Promise<string> {
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  // What it has to say of a chart is the developer's: nothing goes to the terminal of whoever writes a report.
  const logger = vega.logger(vega.Error);
  const compiled = compile(spec, { config: room.isNarrow ? NARROW_CONFIG : CONFIG, logger }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', logLevel: vega.Error });
  try {
    const svg = labelled(await view.toSVG(), room.isNarrow ? `${name}-narrow` : name, title, description);
    return `<div class="${room.isNarrow ? 'narrow' : 'wide'}">${svg}</div>`;
  } finally {
    view.finalize();
  }
}

/** Names the picture as a whole, and gives its inner ids the chart's name and the order in which they come. */
function labelled(svg: string, name: string, title: string, description: string): string {
  const ids = new Map<string, string>();
  const own = (id: string): string => {
    const known = ids.get(id) ?? `${name}-${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  return svg
    .replace(/<(clipPath|linearGradient|radialGradient) id="([^"]+)"/g, (_, tag, id) => `<${tag} id="${own(id)}"`)
    .replace(/="url\(#([^)"]+)\)"/g, (_, id) => `="url(#${own(id)})"`)
    .replace(
      /^<svg([^>]*)>/,
      (_, attributes) =>
        `<svg${attributes} role="img" aria-labelledby="${name}-title ${name}-description"><title id="${name}-title">${escaped(title)}</title><desc id="${name}-description">${escaped(description)}</desc>`,
    );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
