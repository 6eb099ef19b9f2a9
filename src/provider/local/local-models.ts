/** The local completion models that can form memory. */
export const LOCAL_FORMERS: readonly string[] = ['extractive-facts-1'];

/** The local completion models that can answer from a context. */
export const LOCAL_READERS: readonly string[] = ['extractive-reader-1'];
