import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BankCall } from '../../src/bank/bank.js';
import { boundModel, changedParts, requestIdentity } from '../../src/bank/request-identity.js';
import type { CompletionRequest } from '../../src/provider/completion.js';
import { sampleRequest } from '../support/bank-samples.js';
import { independentCanonicalJson, independentDigest } from '../support/rfc8785.js';

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => value.isWellFormed());

const requests: fc.Arbitrary<CompletionRequest> = fc
  .record({
    contents: fc.array(text, { minLength: 1, maxLength: 4 }),
    schema: fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    temperature: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    seed: fc.option(fc.integer()),
    batch: text,
  })
  .map(({ contents, schema, temperature, seed, batch }) => {
    const base = sampleRequest(batch, '');
    return {
      ...base,
      messages: contents.map((content) => ({ role: 'user' as const, content })),
      response_schema: { name: 'formation', schema: schema as CompletionRequest['response_schema']['schema'] },
      parameters: { ...base.parameters, temperature, seed },
    };
  });

type Path = readonly (string | number)[];
type Tree = Record<string | number, unknown>;

/** Every leaf of a JSON value: scalars and empty containers. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.length === 0 ? [path] : keys.flatMap((key) => leaves((value as Tree)[key], [...path, key]));
}

function withMutation(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return mutated(value);
  const copy: Tree = Array.isArray(value) ? ([...value] as unknown as Tree) : { ...(value as Tree) };
  const next = withMutation((value as Tree)[key], rest);
  Object.defineProperty(copy, key, { value: next, enumerable: true, configurable: true, writable: true });
  return copy;
}

function mutated(value: unknown): unknown {
  if (typeof value === 'string') return `${value}~`;
  if (typeof value === 'number') return value === 1 ? 2 : 1;
  if (typeof value === 'boolean') return !value;
  return value === null ? 'was null' : null;
}

/** What a change at a path must be called: stated here anew, not taken from the code. */
function nameOf(path: Path): string {
  const [top, second] = path;
  if (top === 'messages') return `message ${Number(second) + 1}`;
  if (top === 'response_schema') return 'schema';
  if (top === 'metadata') return `metadata.${String(second)}`;
  return String(top);
}

function recordedOf(request: CompletionRequest): Pick<BankCall, 'request' | 'resolved'> {
  // Through a file and back, as a bank's call comes.
  return JSON.parse(JSON.stringify({ request: requestIdentity(request), resolved: boundModel(request) }));
}

const isExcluded = (path: Path): boolean => ['model.resolved_at', 'model.credential_ref'].includes(path.join('.'));

describe('request identity', () => {
  test('FB-3, FB-5 every JSON leaf of a request, mutated in turn, is refused by its name and no other', () => {
    let mutations = 0;
    fc.assert(
      fc.property(requests, (request) => {
        const recorded = recordedOf(request);
        expect(changedParts(recorded, request)).toEqual([]);
        for (const path of leaves(request)) {
          const changed = changedParts(recorded, withMutation(request, path) as CompletionRequest);
          expect(changed, path.join('.')).toEqual(isExcluded(path) ? [] : [nameOf(path)]);
          mutations += 1;
        }
      }),
      { numRuns: 100 },
    );
    expect(mutations).toBeGreaterThan(1_000);
  });

  test('FB-3 every leaf, dropped or joined by a sibling that no one knows yet, is refused', () => {
    const request = sampleRequest('session_1', 'text');
    const recorded = recordedOf(request);
    for (const path of [[], ['parameters'], ['model'], ['metadata'], ['response_schema'], ['messages', 0]] as Path[]) {
      const parent = path.reduce<unknown>((value, key) => (value as Tree)[key], request) as Tree;
      const grown =
        path.length === 0 ? { ...parent, a_later_field: 1 } : replaced(request, path, { ...parent, a_later_field: 1 });
      expect(changedParts(recorded, grown as CompletionRequest), path.join('.')).not.toEqual([]);
    }
  });

  test('FB-3 digests are those of an independent RFC 8785 implementation', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { metadata, ...sent } = request;
        const { resolved_at, credential_ref, ...model } = request.model;
        expect(requestIdentity(request)).toEqual({
          digest: independentDigest({ ...sent, model }),
          parts: {
            messages: request.messages.map(independentDigest),
            schema: independentDigest(request.response_schema),
            parameters: independentDigest(request.parameters),
          },
          metadata,
        });
        expect([resolved_at, credential_ref]).not.toContain(undefined);
      }),
      { numRuns: 200 },
    );
  });

  test('FB-3 the independent implementation gives the example of RFC 8785, section 3.2.4 (positive control)', () => {
    const example = {
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]'),
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(independentCanonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });
});

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Tree = Array.isArray(value) ? ([...value] as unknown as Tree) : { ...(value as Tree) };
  copy[key] = replaced((value as Tree)[key], rest, by);
  return copy;
}
