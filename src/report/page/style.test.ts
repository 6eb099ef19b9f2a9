import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

type Colour = readonly [red: number, green: number, blue: number];
type Mode = ReadonlyMap<string | undefined, Colour>;

const GROUNDS = ['paper', 'panel'];
const TEXTS = ['ink', 'muted', 'accent', 'good', 'bad', 'warn'];
/** WCAG 2.2, 1.4.3: of text. */
const LEAST = 4.5;

function colourOf(hex: string): Colour {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : (hex.slice(1).match(/../g) ?? []);
  return digits.map((two) => Number.parseInt(two, 16)) as unknown as Colour;
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

it('RP-5 text can be read on every ground, heat maps too, in the light, in the dark and on paper', async () => {
  const style = await readFile(new URL('style.css', import.meta.url), 'utf8');
  const modes = [...style.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, block = '']) =>
      new Map([...block.matchAll(/--(\w+): (#[0-9a-f]+);/g)].map(([, name, hex]) => [name, colourOf(hex as string)])),
  );
  expect(modes).toHaveLength(3);
  // On paper, what its block does not name is as in the light.
  expect(style).toContain('@media screen and (prefers-color-scheme: dark) {\n  :root {');
  const [light, dark, paper] = modes as unknown as [Mode, Mode, Mode];
  const share = Number(/var\(--level, 0\) \* (\d+)%/.exec(style)?.[1]) / 100;
  for (const [mode, colours] of [light, dark, new Map([...light, ...paper])].entries()) {
    const colour = (name: string): Colour => colours.get(name) as Colour;
    for (const ground of GROUNDS)
      for (const text of TEXTS)
        expect(contrast(colour(text), colour(ground)), `${text} on ${ground}, ${mode}`).toBeGreaterThanOrEqual(LEAST);
    for (const ground of GROUNDS) {
      const strongest = colour(ground).map(
        (value, at) => value * (1 - share) + (colour('accent')[at] as number) * share,
      ) as unknown as Colour;
      expect(contrast(colour('ink'), strongest), `heat map on ${ground}, ${mode}`).toBeGreaterThanOrEqual(LEAST);
    }
  }
});
