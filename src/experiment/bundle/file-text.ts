import { textOf } from '../../core/secret-scan.js';

const LINE_FEED = 0x0a;

/**
 * The text of a file of a bundle as it reads: strings of JSON and of JSON lines with their escapes undone, of a vector bank its header, of
 * anything else the bytes as UTF-8.
 */
export function fileText(path: string, bytes: Buffer): string {
  if (path.endsWith('.vectors.bin')) return jsonText(bytes.subarray(0, bytes.indexOf(LINE_FEED)).toString('utf8'));
  const text = bytes.toString('utf8');
  if (path.endsWith('.json')) return jsonText(text);
  if (path.endsWith('.jsonl')) return text.split('\n').map(jsonText).join('\n');
  return text;
}

/** A torn line, or none of JSON, is read as it stands. */
function jsonText(text: string): string {
  try {
    return textOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
