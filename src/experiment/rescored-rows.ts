const PREFIX = 'rescored-';

/** The folder of a run that holds its rows as they were scored again for the nth time, from 1 (RP-6). */
export function rescoredRows(n: number): string {
  return `${PREFIX}${n}`;
}

/** How often a run was scored again to the end. @param rows `rows_folder` of its manifest. */
export function timesRescored(rows: string | null): number {
  return rows === null ? 0 : Number(rows.slice(PREFIX.length));
}
