/** How parts of a text stand out on a terminal; meaning is never told by colour alone. */
export interface Paint {
  heading(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
  /** What is there for scale, or in passing. */
  faint(text: string): string;
}

const asItIs = (text: string): string => text;

/** No colours: files, pipes, and whoever sets NO_COLOR (CL-1). */
export const PLAIN: Paint = { heading: asItIs, good: asItIs, warn: asItIs, bad: asItIs, faint: asItIs };

/** Paints each line of its own, so that no colour runs over a line feed. */
export function painted(text: string, paint: (line: string) => string): string {
  return text.split('\n').map(paint).join('\n');
}
