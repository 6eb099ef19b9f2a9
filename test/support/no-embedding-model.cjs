// Required by a child before everything else (NODE_OPTIONS): whoever loads the local embedding model, in whatever thread, fails.
const Module = require('node:module');

const load = Module._load;
Module._load = function refuse(request, ...rest) {
  if (request.startsWith('@energetic-ai/')) throw new Error('the embedding model was loaded');
  return load.call(this, request, ...rest);
};
