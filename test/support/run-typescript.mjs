// Runs a TypeScript module of this project in a process of its own: `node run-typescript.mjs FILE [ARGUMENT...]`.
import { runnerImport } from 'vite';

await runnerImport(process.argv[2], { configFile: false, logLevel: 'error' });
