// Preloaded into the command (`node --require`): whatever it starts may open so few files that no Postgres server starts. The command itself
// is not held to that, since it could not load its own modules then.
const childProcess = require('node:child_process');
const { syncBuiltinESMExports } = require('node:module');

const { spawn } = childProcess;
childProcess.spawn = (file, args, options) =>
  spawn('sh', ['-c', 'ulimit -n 52; exec "$@"', 'sh', file, ...args], options);
syncBuiltinESMExports();
