/** The categorical colours of the page, in their order: beyond the last they begin again, and a dash tells them apart. */
const CATEGORICAL = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'].map((name) => `var(--${name})`);

/** Dashes of lines: solid first. */
const DASHES = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
];

/** Shapes of points, told apart without colour. */
const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down'];

/** How each of several lines is drawn: by colour, dash and shape, so that colour alone never tells. */
export interface LineLook {
  readonly colour: string;
  readonly dash: readonly number[];
  readonly shape: string;
}

/** The look of the line with this place among all lines. */
export function lineLook(place: number): LineLook {
  return {
    colour: CATEGORICAL[place % CATEGORICAL.length] as string,
    dash: DASHES[(place + Math.floor(place / CATEGORICAL.length)) % DASHES.length] as readonly number[],
    shape: SHAPES[(place + Math.floor(place / CATEGORICAL.length)) % SHAPES.length] as string,
  };
}
