/** A configured value shorter than this protects nothing (`x`, `none`, `EMPTY` for local servers) and would be found by chance. */
export const SHORTEST_SECRET = 6;

/** What was found; never the secret itself. */
export interface SecretFinding {
  /** `configured secret n` (from 1), or the shape's name. */
  readonly what: string;
}

// Shapes that the library's preset leaves out; each is specific enough that ordinary prose does not fit it.
const MORE_SHAPES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['authorization header', /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{20,}/i],
  ['json web token', /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/],
  ['api key of the sk- family', /\bsk-(?:proj-|ant-|svcacct-|or-v1-)?[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]{19,}/],
  ['google api key', /\bAIza[0-9A-Za-z_-]{35}/],
  ['aws access key id', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
];

/**
 * Looks for every configured secret, exactly, and for credential shapes in a value that is to be written or sent (FB-7, SQ-7): in its text, and in its
 * strings as they read once JSON's escapes are undone, also of JSON inside a string.
 */
export async function scanForSecrets(value: unknown, secrets: readonly string[]): Promise<SecretFinding[]> {
  const text = textOf(value);
  return [...findConfigured(text, secrets), ...(await findShapes(text))];
}

/** The same for configured secrets alone: for what also holds the user's own history, whose text is theirs to keep. */
export function scanForConfigured(value: unknown, secrets: readonly string[]): SecretFinding[] {
  return findConfigured(textOf(value), secrets);
}

function findConfigured(text: string, secrets: readonly string[]): SecretFinding[] {
  return secrets.flatMap((secret, index) =>
    secret.length >= SHORTEST_SECRET && spellings(secret).some((spelling) => text.includes(spelling))
      ? [{ what: `configured secret ${index + 1}` }]
      : [],
  );
}

/** As it is, and as JSON or a URL would spell it. */
function spellings(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    ...new Set([secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret.toWellFormed())]),
  ];
}

async function findShapes(text: string): Promise<SecretFinding[]> {
  const more = MORE_SHAPES.filter(([, pattern]) => pattern.test(text)).map(([name]) => ({ what: name }));
  // Loaded here, since only what is recorded or sent needs it.
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const result = await lintSource({
    source: { content: text, filePath: 'text.txt', ext: '.txt', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      maskSecrets: true,
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] },
    },
  });
  return [...result.messages.map((message) => ({ what: message.ruleId.replace(/^.*secretlint-rule-/, '') })), ...more];
}

/** All strings of a value as they read, keys too, each on a line of its own; JSON inside a string is taken apart. */
export function textOf(value: unknown): string {
  const found: string[] = [];
  collect(value, found, 0);
  return found.join('\n');
}

/** JSON in JSON in JSON is as deep as a completion goes; each level is undone. */
const DEEPEST_INNER_JSON = 4;

function collect(value: unknown, found: string[], innerJson: number): void {
  if (typeof value === 'string') {
    found.push(value);
    const inner = innerJson < DEEPEST_INNER_JSON ? parsed(value) : null;
    if (inner !== null) collect(inner, found, innerJson + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (!Array.isArray(value)) found.push(key);
    collect(child, found, innerJson);
  }
}

/** The object, array or string that a text is as JSON; null for ordinary text. */
function parsed(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
