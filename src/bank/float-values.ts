const FLOAT_BYTES = 4;

/** A vector as JSON files hold it: base64 of its float32 values, little-endian. */
export function vectorToBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * FLOAT_BYTES);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * FLOAT_BYTES);
  return bytes.toString('base64');
}

/** Reads such a text; null where it holds no whole values, or one that is no finite number. */
export function vectorFromBase64(text: string): Float32Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength === 0 || bytes.byteLength % FLOAT_BYTES !== 0) return null;
  const vector = new Float32Array(bytes.byteLength / FLOAT_BYTES);
  for (let index = 0; index < vector.length; index += 1) vector[index] = bytes.readFloatLE(index * FLOAT_BYTES);
  return vector.every(Number.isFinite) ? vector : null;
}
