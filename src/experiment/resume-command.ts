/** The exact command that continues a run (CL-3), ready to be pasted into a shell. */
export function resumeCommand(folder: string, flags: readonly string[] = []): string {
  return ['recall-matrix run --resume', quoted(folder), ...flags].join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
