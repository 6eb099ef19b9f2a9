/** What a block of the page holds: base64 of gzip of JSON. */
export async function unpack<Value>(id: string): Promise<Value> {
  const packed = document.getElementById(id)?.textContent;
  if (packed === undefined || packed === null) throw new Error(`this file holds no ${id}: it is not whole`);
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text()) as Value;
}

/** Blocks that were unpacked last, so that going from question to question does not unpack one block again and again. */
const KEPT_BLOCKS = 8;
const kept = new Map<string, Promise<unknown>>();

/** The same, kept for a while. */
export function unpackKept<Value>(id: string): Promise<Value> {
  const value = kept.get(id) ?? unpack<Value>(id);
  kept.delete(id);
  kept.set(id, value);
  if (kept.size > KEPT_BLOCKS) kept.delete(kept.keys().next().value as string);
  return value as Promise<Value>;
}
