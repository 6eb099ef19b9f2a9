// A user's own module in a thread of its own, so that it can be ended when it hangs. CommonJS, so that it runs from the source as it does from
// the build.
const { workerData } = require('node:worker_threads');
const { serialize } = require('node:v8');

const MOST_BYTES = 8_388_608;

// Its channel to us is not within a module's reach, which could say on it what it has not returned.
const { url, port } = workerData;
delete workerData.port;

function textOf(error) {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return text.slice(0, 2000);
  } catch {
    return 'what cannot be shown';
  }
}

function described(module) {
  const exports = {};
  for (const name of Object.keys(module)) {
    const value = module[name];
    const isData = typeof value === 'string' || typeof value === 'number';
    exports[name] = { type: typeof value, value: isData ? value : null };
  }
  return exports;
}

const loading = import(url).then(
  (module) => {
    port.postMessage({ kind: 'loaded', exports: described(module) });
    return module;
  },
  (error) => {
    port.postMessage({ kind: 'not-loaded', message: textOf(error) });
    return {};
  },
);

port.on('message', async ({ name, args }) => {
  const module = await loading;
  let result;
  try {
    result = await module[name](...args);
  } catch (error) {
    port.postMessage({ kind: 'threw', message: textOf(error) });
    return;
  }
  try {
    const bytes = serialize(result);
    if (bytes.byteLength > MOST_BYTES)
      throw new Error(`it returned ${bytes.byteLength} bytes; at most ${MOST_BYTES} are taken`);
    port.postMessage({ kind: 'returned', bytes });
  } catch (error) {
    port.postMessage({ kind: 'unsound', message: textOf(error) });
  }
});
