import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  FickleProvider,
  formSample,
  SAMPLE_IDENTITY,
  sampleCompletion,
  sampleRecording,
  sampleRequest,
  sampleState,
  temporaryFolder,
} from '../../test/support/bank-samples.js';
import { scanForConfigured, scanForSecrets } from '../core/secret-scan.js';
import { openBankFolder } from './bank-folder.js';
import { openRecording } from './recording-provider.js';
import { boundModel, requestIdentity } from './request-identity.js';
import { writeSealed } from './seal-recording.js';

const SECRET = 'pl"an\\ted/key+1';
// Made up, and joined at run time so that scanners of this repository pass over them.
const joined = (...parts: string[]): string => parts.join('');
const SHAPES: [name: string, text: string][] = [
  ['github', joined('ghp', '_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx')],
  ['slack', joined('xoxb', '-123456789012-123456789012-abcdefghijklmnopqrstuvwx')],
  ['anthropic', joined('sk-ant-', `api03-${'a'.repeat(93)}AA`)],
  ['sk- family', joined('sk-', 'proj-abcdefgh1jklmnopqrstuvwxyz0123456789')],
  ['aws', joined('AWS_SECRET_ACCESS_KEY=', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY')],
  ['aws access key id', joined('AKIA', 'IOSFODNN7EXAMPL0')],
  ['private key', joined('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE')],
  ['authorization', joined('Authorization: ', 'Bearer abcdefghijklmnopqrstuvwxyz')],
  ['basicauth', 'https://user:p4ssw0rdlong@example.com/x'],
  [
    'json web token',
    joined('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0', '.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'),
  ],
  ['google', joined('AIza', 'SyA-abcdefghijklmnopqrstuvwxyz01234')],
];

describe('the scan for secrets', () => {
  test('FB-7 a planted secret is found as it is, escaped, in JSON in a string, and as a key', async () => {
    const inner = JSON.stringify({ beliefs: [`the key is ${SECRET}`] });
    for (const value of [
      SECRET,
      { a: SECRET },
      { output: inner },
      { output: JSON.stringify({ again: inner }) },
      { [SECRET]: 1 },
    ]) {
      expect(await scanForSecrets(value, ['another-secret', SECRET])).toEqual([{ what: 'configured secret 2' }]);
      expect(scanForConfigured(value, [SECRET])).toHaveLength(1);
    }
    expect(scanForConfigured({ output: '{"a":"\\u0070lanted-secret"}' }, ['planted-secret'])).toHaveLength(1);
  });

  test.each(SHAPES)('FB-7 a credential of the shape %s is found, also inside a completion', async (name, text) => {
    for (const value of [text, { output: JSON.stringify({ beliefs: [`Rosa said ${text} yesterday`] }) }]) {
      const findings = await scanForSecrets(value, []);
      expect(findings.map(({ what }) => what).join(' ')).toContain(name);
      expect(JSON.stringify(findings)).not.toContain(text);
    }
  });

  test('FB-7 ordinary memory passes: the histories that ship here, digests, and short configured values', async () => {
    for (const fixture of await readdir('fixtures')) {
      const history = await readFile(`fixtures/${fixture}/history.jsonl`, 'utf8');
      expect(await scanForSecrets(history, [SECRET])).toEqual([]);
    }
    expect(
      await scanForSecrets({ digest: `sha256:${'0a'.repeat(32)}`, text: 'none, EMPTY, x' }, ['', 'x', 'none', 'EMPTY']),
    ).toEqual([]);
  });
});

describe('a recording that meets a secret', () => {
  test.each([
    ['a configured secret', { beliefs: [SECRET] }],
    ['a credential shape', { beliefs: [SHAPES[0]?.[1]] }],
  ])('FB-7 %s in a completion fails the recording before it reaches any file', async (_title, answer) => {
    const folder = await temporaryFolder();
    const leaky = { complete: async () => sampleCompletion(JSON.stringify(answer)) };
    const recording = await openRecording({ ...sampleRecording(folder, leaky), secrets: [SECRET] });
    const request = sampleRequest('session_1', 'text');
    await expect(recording.complete(request, new AbortController().signal)).rejects.toMatchObject({
      code: 'BANK_HOLDS_SECRET',
      exitCode: 5,
      message: expect.not.stringContaining(SECRET),
    });
    const { failed, completed } = await openBankFolder(folder).list();
    expect(completed).toEqual([]);
    expect(failed).toHaveLength(1);
    const text = await readFile(failed[0]?.path ?? '', 'utf8');
    expect(text).toContain('must not be kept');
    expect(scanForConfigured(text, [SECRET])).toEqual([]);
    expect(text).not.toContain(SHAPES[0]?.[1]);
  });

  test('FB-7 a configured secret in the state is found before anything is sealed', async () => {
    const folder = await temporaryFolder();
    const recording = await openRecording({ ...sampleRecording(folder, new FickleProvider()), secrets: [SECRET] });
    await formSample(recording);
    const sealing = recording.seal({ state: sampleState([SECRET]), recordedAt: '2026-01-01T00:00:00.000Z' });
    await expect(sealing).rejects.toMatchObject({ code: 'BANK_HOLDS_SECRET' });
    expect(await readdir(folder)).toEqual(['failed']);
  });

  test('FB-7, RS-4 an endpoint that carries a credential is refused before a journal is made', async () => {
    const folder = await temporaryFolder();
    const profile = { ...SAMPLE_IDENTITY.profile, endpoint: `https://models.example/${SECRET}` };
    const options = {
      ...sampleRecording(folder, new FickleProvider()),
      secrets: [SECRET],
      identity: { ...SAMPLE_IDENTITY, profile },
    };
    await expect(openRecording(options)).rejects.toMatchObject({ code: 'BANK_HOLDS_SECRET' });
    expect(await readdir(folder)).toEqual([]);
  });

  test('FB-7 the whole bank is scanned once more before it is sealed', async () => {
    const folder = await temporaryFolder();
    const request = sampleRequest('session_1', 'text');
    const call = { reported_model: SECRET, finish: 'stop' as const, output: '{}', usage: null, attempts: 1 };
    const calls = [{ request: requestIdentity(request), resolved: boundModel(request), ...call }];
    const seal = (secrets: string[]) =>
      writeSealed(
        {
          folder,
          fixture: 'harbour',
          bank: { identity: SAMPLE_IDENTITY, calls, recordedAt: '2026-01-01T00:00:00.000Z' },
          state: sampleState(),
          secrets,
        },
        async () => {},
        async () => {},
      );
    await expect(seal([SECRET])).rejects.toMatchObject({ code: 'BANK_HOLDS_SECRET' });
    expect(await readdir(folder)).toEqual([]);
    await seal(['another-secret']);
    expect(await readdir(folder)).toHaveLength(2);
  });
});
