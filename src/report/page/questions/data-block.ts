import { gzipSync } from 'node:zlib';

/**
 * Data of the page, as an element that no parser reads and no browser runs: gzip in base64, whose alphabet ends no element (RS-4).
 *
 * @param id of the element: the project's own word, never data.
 */
export function dataBlock(id: string, value: unknown): string {
  const packed = gzipSync(JSON.stringify(value), { level: 9 }).toString('base64');
  return `<script type="application/octet-stream;base64" id="${id}">${packed}</script>\n`;
}
