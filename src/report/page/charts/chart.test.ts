import type { TopLevelSpec } from 'vega-lite';
import { expect, it, vi } from 'vitest';
import { type ChartRoom, renderChart } from './chart.js';

const HOSTILE = '</text><script>alert(1)</script>"\'\\';

const spec = ({ width }: ChartRoom): TopLevelSpec => ({
  width,
  data: {
    values: [
      { arm: HOSTILE, score: 1 },
      { arm: 'b', score: 2 },
    ],
  },
  mark: { type: 'bar', clip: true },
  encoding: {
    x: { field: 'score', type: 'quantitative', scale: { domain: [0, 3] } },
    y: { field: 'arm', type: 'nominal', scale: { domain: [HOSTILE, 'b'] } },
    color: { value: 'var(--c1)' },
  },
});
const idsOf = (svg: string): string[] => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);
const text = { name: 'demo', title: 'Arms & scores', description: `of ${HOSTILE}` };

it('RP-5 a chart is an SVG with a name and a description, coloured by the page’s variables, and its bytes depend on nothing drawn before', async () => {
  const said = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  const first = await renderChart(spec, text);
  const other = await renderChart(spec, { ...text, name: 'other' });
  expect(await renderChart(spec, text)).toBe(first);
  expect(first).toMatch(
    /^<div class="wide"><svg[^>]* role="img" aria-labelledby="demo-title demo-description"><title id="demo-title">Arms &amp; scores<\/title>/,
  );
  expect(first).toMatch(/<div class="narrow"><svg[^>]* aria-labelledby="demo-narrow-title /);
  expect(new Set(idsOf(first)).size).toBe(idsOf(first).length);
  expect(first).toContain('fill="var(--c1)"');
  expect(first).toContain('id="demo-1"');
  expect(first).toContain('url(#demo-1)');
  expect(other).not.toMatch(/"(url\(#)?demo/);
  expect(said.every((spy) => spy.mock.calls.length === 0)).toBe(true);
  vi.restoreAllMocks();
});

it('RS-4 hostile words of a chart are text, never markup', async () => {
  const svg = await renderChart(spec, text);
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;script&gt;alert(1)');
});
