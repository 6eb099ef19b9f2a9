/** So many columns of figures beside the first fit a page. */
export const MOST_COLUMNS = 8;

/** The places of so many columns, in groups of nearly one size that each fit a page. */
export function columnGroups(columns: number): number[][] {
  const groups = Math.max(1, Math.ceil(columns / MOST_COLUMNS));
  const places = Array.from({ length: columns }, (_, place) => place);
  return Array.from({ length: groups }, (_, group) =>
    places.slice(Math.round((group * columns) / groups), Math.round(((group + 1) * columns) / groups)),
  );
}
