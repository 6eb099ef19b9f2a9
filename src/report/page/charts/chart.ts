import type { Config, TopLevelSpec } from 'vega-lite';

/** A chart's own width in pixels, for all charts alike; a narrower screen scales it or scrolls, as the style says. */
export const CHART_WIDTH = 560;

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

/**
 * Draws a chart as an SVG element of the page. Equal specifications give equal bytes: ids do not depend on what was drawn before.
 * Vega is loaded when the first chart is drawn, and not by other verbs.
 *
 * @param spec its words are escaped, and data must reach it as values alone, never as a field's name or an expression.
 */
export async function renderChart(spec: TopLevelSpec, { name, title, description }: ChartText): Promise<string> {
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  // What it has to say of a chart is the developer's: nothing goes to the terminal of whoever writes a report.
  const logger = vega.logger(vega.Error);
  const compiled = compile(spec, { config: CONFIG, logger }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', logLevel: vega.Error });
  try {
    return labelled(await view.toSVG(), name, title, description);
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
