type Schema = Record<string, unknown>;

/**
 * A deterministic value of a strict schema: the first enum value or alternative, one item an array, words for text. It shows that a
 * conforming answer passes; it is no model.
 */
export function generateAnswer(schema: Schema): string {
  return JSON.stringify(valueFor(schema, schema, 0));
}

function valueFor(schema: Schema, root: Schema, depth: number): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (typeof schema.$ref === 'string') return valueFor(resolve(schema.$ref, root), root, depth + 1);
  if (Array.isArray(schema.anyOf))
    return valueFor((depth > 8 ? schema.anyOf.at(-1) : schema.anyOf[0]) as Schema, root, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties as Schema).map(([name, child]) => [
          name,
          valueFor(child as Schema, root, depth + 1),
        ]),
      );
    case 'array':
      return depth > 8 && schema.minItems === undefined ? [] : itemsOf(schema, root, depth);
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function itemsOf(schema: Schema, root: Schema, depth: number): unknown[] {
  const count = typeof schema.minItems === 'number' ? schema.minItems : schema.maxItems === 0 ? 0 : 1;
  return Array.from({ length: count }, () => valueFor(schema.items as Schema, root, depth + 1));
}

function textOf(schema: Schema): string {
  if (schema.format === 'date') return '2023-05-08';
  if (schema.format === 'date-time') return '2023-05-08T13:56:00Z';
  return 'text';
}

function resolve(reference: string, root: Schema): Schema {
  if (reference === '#') return root;
  return (root.$defs as Record<string, Schema>)[reference.replace('#/$defs/', '')] as Schema;
}
