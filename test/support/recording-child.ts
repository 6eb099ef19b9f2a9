import { appendFileSync, writeSync } from 'node:fs';
import { openRecording } from '../../src/bank/recording-provider.js';
import { FickleProvider, formSample, sampleRecording, sampleState } from './sample-formation.js';

// Records the sample formation and kills itself when a step is reached for the n-th time. The bill is a file that shares no code with the bank.
const [folder, bill, step, occurrence] = process.argv.slice(-4) as [string, string, string, string];

const live = new FickleProvider();
const billed = {
  complete: async () => {
    appendFileSync(bill, 'send\n');
    return await live.complete();
  },
};
let seen = 0;
const recording = await openRecording({
  ...sampleRecording(folder, billed),
  onStep: async (reached) => {
    if (reached === step) seen += 1;
    if (reached !== step || seen !== Number(occurrence)) return;
    writeSync(1, `REACHED ${step}\n`);
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
});
await recording.record(async (provider) => sampleState(await formSample(provider)));
