/** A count with its noun, as people read it: `1 fixture`, `2 fixtures`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
