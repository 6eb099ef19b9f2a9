import {
  type Document,
  isMap,
  isPair,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLError,
} from 'yaml';
import type { z } from 'zod';
import { invalidInput, type RecallMatrixError, type SourceLocation } from './errors.js';
import { refusedNodes } from './yaml-nodes.js';

/** A path into a YAML document. */
export type YamlPath = readonly (string | number)[];

/** A YAML file that was parsed: its value, and where each part of it stands. */
export interface YamlSource {
  readonly file: string;
  /** The command that prints the schema of such a file: what remedies name. */
  readonly schema_command: string;
  /** What the document says; undefined where it does not parse. */
  readonly value: unknown;
  /** Syntax faults, duplicate keys and alias bombs (MX-2). */
  readonly faults: readonly RecallMatrixError[];
  /** Where the value at a path stands; the nearest parent that exists where it does not. */
  locate(path: YamlPath): SourceLocation;
  /** Where a key of the map at a path stands. */
  locateKey(path: YamlPath, key: string): SourceLocation;
}

/** A document may reuse its anchors this often before it counts as an alias bomb. */
const MAX_ALIASES = 50;
const MEND_YAML = 'mend the YAML: text that holds { } [ ] : # or begins with * & ! % @ ` stands in quotes';

/** Parses one YAML document. Nothing is thrown: faults are listed, with lines and columns. */
export function parseYamlSource(file: string, text: string, schemaCommand = 'recall-matrix schema matrix'): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, strict: true, prettyErrors: false });
  const at = (offset: number): SourceLocation => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const invalid = (message: string, offset: number, remedy: string): RecallMatrixError =>
    invalidInput('YAML_INVALID', message, { location: at(offset), remedy });
  const faults = told([...document.errors, ...document.warnings]).map((error) =>
    invalid(
      plainly(error.message),
      error.pos[0],
      error.code === 'DUPLICATE_KEY' ? 'keep one of the two keys' : MEND_YAML,
    ),
  );
  let value: unknown;
  if (faults.length === 0) {
    try {
      for (const { offset, what, remedy } of refusedNodes(document)) faults.push(invalid(what, offset, remedy));
      if (faults.length === 0) value = document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (error) {
      faults.push(invalid(plainly((error as Error).message), 0, 'write the values out instead of aliases, less deep'));
    }
  }
  return {
    file,
    schema_command: schemaCommand,
    value,
    faults,
    locate: (path) => at(startOf(nearest(document, path))),
    locateKey: (path, key) => at(startOf(keyNode(document, path, key) ?? nearest(document, path))),
  };
}

/** A parser that lost its way finds a fault in every token after: of faults of syntax the first alone is told, of others each. */
function told(errors: readonly YAMLError[]): readonly YAMLError[] {
  const ofSyntax = errors.filter(({ code }) => code !== 'DUPLICATE_KEY');
  const [first] = [...ofSyntax].sort((a, b) => a.pos[0] - b.pos[0]);
  return first === undefined ? errors : [first];
}

/**
 * Checks a parsed document against a schema.
 *
 * @returns the value, or every fault with its place, what was found and what was expected.
 */
export function checkYaml<Schema extends z.ZodType>(
  source: YamlSource,
  schema: Schema,
):
  | { readonly value: z.output<Schema>; readonly faults: readonly [] }
  | { readonly value: null; readonly faults: readonly RecallMatrixError[] } {
  if (source.faults.length > 0) return { value: null, faults: source.faults };
  const parsed = schema.safeParse(source.value, { reportInput: true });
  if (parsed.success) return { value: parsed.data, faults: [] };
  return {
    value: null,
    faults: parsed.error.issues.flatMap((issue) => faultsOf(source, issue as z.core.$ZodIssue, [])),
  };
}

function faultsOf(source: YamlSource, issue: z.core.$ZodIssue, prefix: YamlPath): RecallMatrixError[] {
  const path = [...prefix, ...(issue.path as (string | number)[])];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      invalidInput('UNKNOWN_KEY', `${show([...path, key])}: this key is not known`, {
        location: source.locateKey(path, key),
        remedy: `remove it or correct its spelling; \`${source.schema_command}\` lists every key`,
      }),
    );
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The branch that fits best is the one whose first fault lies deepest.
    const branches = [...issue.errors].sort((a, b) => depth(b) - depth(a));
    return (branches[0] as z.core.$ZodIssue[]).flatMap((inner) => faultsOf(source, inner, path));
  }
  if (issue.code === 'invalid_union' && typeof issue.discriminator === 'string') {
    return [
      wrongDiscriminator(
        source,
        path,
        issue.discriminator,
        issue.input,
        'options' in issue ? (issue.options ?? []) : [],
      ),
    ];
  }
  // A rule of this project's own is given the whole that it is about; what stands at the fault's place says more.
  const input = issue.code === 'custom' ? valueAt(source.value, path) : issue.input;
  const found = input === undefined ? '' : `, found ${brief(input)}`;
  return [
    invalidInput('WRONG_VALUE', `${show(path)}: ${issue.message}${found}`, {
      location: source.locate(path),
      remedy: `see \`${source.schema_command}\``,
    }),
  ];
}

/** A map whose kind is told by one key, and that key is missing or has no value that is known. */
function wrongDiscriminator(
  source: YamlSource,
  path: YamlPath,
  key: string,
  input: unknown,
  options: readonly unknown[],
): RecallMatrixError {
  const known = options.filter((option) => typeof option === 'string');
  const remedy = known.length === 0 ? `see \`${source.schema_command}\`` : `give one of: ${known.join(', ')}`;
  const name = path.at(-1) === key ? path.slice(0, -1) : path;
  if (input !== null && typeof input === 'object' && !Object.hasOwn(input, key)) {
    const found = Object.keys(input).join(', ') || 'none';
    return invalidInput('WRONG_VALUE', `${show(name)}: expected the key \`${key}\`, found the keys: ${found}`, {
      location: source.locate(name),
      remedy,
    });
  }
  const value = input !== null && typeof input === 'object' ? (input as Record<string, unknown>)[key] : input;
  return invalidInput('WRONG_VALUE', `${show([...name, key])}: ${brief(value)} is none of the known kinds`, {
    location: source.locate([...name, key]),
    remedy,
  });
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>(
    (found, part) =>
      found !== null && typeof found === 'object' ? (found as Record<string, unknown>)[part] : undefined,
    value,
  );
}

/** The parser's words for a document that nests thousands of levels are about its own stack. */
function plainly(message: string): string {
  return /call stack/i.test(message) ? 'it is nested too deep' : message;
}

function show(path: YamlPath): string {
  return path.length === 0
    ? 'the document'
    : path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`)).join('');
}

type Found = Node | Pair | null;

function nearest(document: Document, path: YamlPath): Found {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as Node | undefined;
    if (node !== undefined && node !== null && typeof node === 'object' && 'range' in node) return node;
  }
  return document.contents as Node | null;
}

function keyNode(document: Document, path: YamlPath, key: string): Node | null {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(map)) return null;
  const pair = map.items.find((item) => isPair(item) && String((item.key as Scalar).value) === key);
  return (pair?.key as Node | undefined) ?? null;
}

function startOf(node: Found): number {
  if (node === null) return 0;
  if (isPair(node)) return startOf(node.key as Node);
  return (node as Node).range?.[0] ?? 0;
}
