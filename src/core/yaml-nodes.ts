import { type Document, isAlias, isScalar, type Node, visit } from 'yaml';

/** A part of a document that parses, and that no reader of it could mean well. */
export interface RefusedNode {
  /** From the start of the text, in UTF-16 units. */
  readonly offset: number;
  readonly what: string;
  readonly remedy: string;
}

/**
 * Keys that are no texts, `__proto__`, which schemas pass over in silence (MX-2), and aliases of what they stand in, whose value has no end.
 *
 * @throws where the document nests deeper than the stack.
 */
export function refusedNodes(document: Document): RefusedNode[] {
  const refused: RefusedNode[] = [];
  const refuse = (node: unknown, what: string, remedy: string): void => {
    refused.push({ offset: (node as Node | null)?.range?.[0] ?? 0, what, remedy });
  };
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) ? key.value === null : !isAlias(key)) refuse(key, 'a key that is no text', 'name the key');
      else if (isScalar(key) && key.value === '__proto__') refuse(key, '__proto__: this key is not known', 'remove it');
    },
    Alias: (_, alias, path) => {
      const source = alias.resolve(document);
      if (source !== undefined && path.includes(source))
        refuse(alias, `the alias *${alias.source} stands within what it names`, 'write the value out');
    },
  });
  return refused;
}
