import { appendFileSync, writeSync } from 'node:fs';
import { openBankFolder } from '../../src/bank/bank-folder.js';
import { continueRecording } from '../../src/bank/continue-recording.js';
import { openRecording } from '../../src/bank/recording-provider.js';
import type { CompletionRequest } from '../../src/provider/completion.js';
import { FickleProvider, formSample, sampleRecording, sampleState } from './sample-formation.js';

// Records the sample formation, or continues the recording that it finds, and kills itself when a step is reached for the n-th time. The bill is a file that shares no code with the bank.
const [folder, bill, step, occurrence] = process.argv.slice(-4) as [string, string, string, string];

const live = new FickleProvider();
const billed = {
  complete: async (request: CompletionRequest) => {
    appendFileSync(bill, `${request.metadata.batch}\n`);
    return await live.complete();
  },
};
let seen = 0;
const options = {
  ...sampleRecording(folder, billed),
  onStep: async (reached: string) => {
    if (reached === step) seen += 1;
    if (reached !== step || seen !== Number(occurrence)) return;
    writeSync(1, `REACHED ${step}\n`);
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
};
const [pending] = (await openBankFolder(folder).list()).pending;
const recording = pending === undefined ? await openRecording(options) : await continueRecording(options, pending.path);
await recording.record(async (provider) => sampleState(await formSample(provider)));
