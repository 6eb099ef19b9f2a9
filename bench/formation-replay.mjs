// PF-2: the whole replay of a 30-session history's formation: scratch database, Postgres, parity.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecording } from '../dist/bank/recording-provider.js';
import { ReplayingProvider } from '../dist/bank/replaying-provider.js';
import { systemClock } from '../dist/core/clock.js';
import { digestText } from '../dist/core/digest.js';
import { storeMigrations } from '../dist/experiment/formation/formation-settings.js';
import { builtInRuntime } from '../dist/memory/built-in-runtime.js';
import { firstDifference } from '../dist/parity/compare-states.js';
import { readBeliefState } from '../dist/parity/read-belief-state.js';
import { openPostgres } from '../dist/postgres/open.js';
import { localCompletionAdapter } from '../dist/provider/local/completion-adapter.js';
import { unsupportedReason } from '../dist/provider/supported-completion.js';
import { report, spread } from './machine.mjs';

const SESSIONS = 30;
const TURNS = 12;
const runs = Number(process.argv[2] ?? 7);
const signal = new AbortController().signal;
const owner = { tenant: 'bench', principal: 'bench' };
const model = {
  kind: 'local',
  wire_api: 'in-process',
  endpoint: 'in-process',
  model: 'extractive-facts-1',
  resolved_at: systemClock.now(),
  credential_ref: null,
};
const parameters = { max_output_tokens: 8192, temperature: 0, top_p: null, seed: null, reasoning_effort: null };
const settings = { owner, policy: 'facts@1', persistence: 'supersede', model, parameters, fixture: 'bench' };

const CITIES = ['Lisbon', 'Ghent', 'Turin', 'Oslo', 'Leeds', 'Porto'];
const THINGS = ['a bicycle', 'a kettle', 'a violin', 'two lamps', 'a red coat', 'a map'];

function history() {
  return Array.from({ length: SESSIONS * TURNS }, (_, index) => {
    const [session, place] = [Math.floor(index / TURNS), index % TURNS];
    const month = String(1 + (session % 12)).padStart(2, '0');
    const city = CITIES[(session + place) % CITIES.length];
    const thing = THINGS[(session * 5 + place) % THINGS.length];
    return {
      kind: 'turn',
      id: `s${session}:${place}`,
      session: `s${session}`,
      at: `${2022 + Math.floor(session / 12)}-${month}-10T10:${String(place).padStart(2, '0')}:00`,
      speaker: place % 2 === 0 ? 'Mara' : 'Joris',
      text: `I moved to ${city} in week ${index}. I bought ${thing} for ${20 + index} euros there.`,
      caption: null,
      sensitivity: 'internal',
    };
  });
}

const folder = mkdtempSync(join(tmpdir(), 'bench-formation-'));
const server = await openPostgres({ databaseUrl: null, clock: systemClock, signal });
try {
  const migrations = await storeMigrations();
  const events = history();
  const bank = await record(events, migrations);
  const recorded = bank.state;
  await replay(events, migrations, bank.file, recorded);
  const wall = [];
  for (let run = 0; run < runs; run += 1) {
    const start = process.hrtime.bigint();
    await replay(events, migrations, bank.file, recorded);
    wall.push(Number(process.hrtime.bigint() - start) / 1e9);
  }
  report('formation-replay', {
    sessions: SESSIONS,
    turns: events.length,
    calls: bank.file.bank.call_count,
    beliefs: recorded.beliefs,
    replay_wall_seconds: spread(wall),
  });
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function record(events, migrations) {
  const scratch = await server.createScratch(migrations);
  const adapter = localCompletionAdapter();
  const inner = { complete: (request, stop) => adapter.prepare(request).send(stop) };
  const profile = {
    kind: model.kind,
    wire_api: model.wire_api,
    endpoint: model.endpoint,
    model: model.model,
    parameters,
  };
  const recording = await openRecording({
    folder,
    fixture: 'bench',
    identity: {
      corpus: digestText('bench'),
      owner,
      policy: settings.policy,
      profile,
      persistence: settings.persistence,
      implementation: digestText('bench'),
      replicate: 1,
    },
    inner,
    attempts: 1,
    clock: systemClock,
    secrets: [],
    unsupportedReason,
  });
  let state = null;
  const file = await recording.record(async (provider) => {
    await builtInRuntime(scratch.runtime).form(events, settings, provider, signal);
    state = await readBeliefState(scratch.admin);
    return state;
  });
  await scratch.drop();
  return { file, state };
}

async function replay(events, migrations, file, recorded) {
  const scratch = await server.createScratch(migrations);
  const provider = new ReplayingProvider(file.bank);
  await builtInRuntime(scratch.runtime).form(events, settings, provider, signal);
  provider.assertConsumed();
  const difference = firstDifference(recorded.state, (await readBeliefState(scratch.admin)).state);
  if (difference !== null) throw new Error(`parity: ${JSON.stringify(difference)}`);
  server.dropLater(scratch);
}
