import { Session } from 'node:inspector';

interface Remote {
  readonly type: string;
  readonly value?: unknown;
  readonly objectId?: string;
}

/** Every string that an object holds, in fields, private fields, maps, sets and arrays, however deep; what functions close over is not looked into. */
export function heldStrings(root: object): Set<string> {
  const session = new Session();
  session.connect();
  const found = new Set<string>();
  try {
    const key = `held-strings-${process.hrtime.bigint()}`;
    Object.assign(globalThis, { [key]: root });
    const { result } = post<{ result: Remote }>(session, 'Runtime.evaluate', { expression: `globalThis['${key}']` });
    Reflect.deleteProperty(globalThis, key);
    const waiting: Remote[] = [result];
    // An object has another id each time it is met, so a cycle is cut by the bound.
    for (let looked = 0; waiting.length > 0; looked += 1) {
      if (looked === LIMIT) throw new Error(`more than ${LIMIT} values are held`);
      const one = waiting.shift() as Remote;
      if (one.type === 'string') found.add(String(one.value));
      if (one.type === 'object' && one.objectId !== undefined) waiting.push(...partsOf(session, one.objectId));
    }
  } finally {
    session.disconnect();
  }
  return found;
}

const LIMIT = 20_000;

function partsOf(session: Session, objectId: string): Remote[] {
  type Property = { readonly name: string; readonly value?: Remote };
  const { result, internalProperties, privateProperties } = post<{
    result: readonly Property[];
    internalProperties?: readonly Property[];
    privateProperties?: readonly Property[];
  }>(session, 'Runtime.getProperties', { objectId, ownProperties: true });
  const entries = (internalProperties ?? []).filter(({ name }) => name === '[[Entries]]');
  const fields = result.filter(({ name }) => name !== '__proto__');
  return [...fields, ...entries, ...(privateProperties ?? [])].flatMap(({ value }) =>
    value === undefined ? [] : [value],
  );
}

/** The inspector answers a session of its own thread at once. */
function post<Result>(session: Session, method: string, parameters: object): Result {
  let answer: Result | undefined;
  session.post(method, parameters, (error, result) => {
    if (error !== null) throw error;
    answer = result as Result;
  });
  return answer as Result;
}
