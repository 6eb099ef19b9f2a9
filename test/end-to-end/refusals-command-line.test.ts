import { describe, expect, it } from 'vitest';
import { cli, command, exits } from '../support/cli.js';

const VERBS = [
  'reproduce',
  'validate',
  'plan',
  'run',
  'record',
  'bank',
  'ledger',
  'import',
  'schema',
  'doctor',
  'lessons',
  'report',
  'rescore',
  'compare',
  'export',
  'verify-bundle',
];
const WITH_EXAMPLES = [
  ...VERBS.filter((verb) => !['bank', 'import', 'lessons'].includes(verb)).map((verb) => [verb]),
  ...['list', 'show', 'verify', 'abandon'].map((verb) => ['bank', verb]),
  ['import', 'locomo'],
  ...['harvest', 'list', 'show', 'evaluate', 'replay', 'import', 'enforce', 'compile', 'verify', 'bootstrap'].map(
    (verb) => ['lessons', verb],
  ),
];

describe('the command line', () => {
  it('CL-1 --help lists every verb that is built, with examples and exit codes, on standard output', async () => {
    const { stdout, stderr } = await exits(0, cli(['--help']));
    expect(stderr).toBe('');
    for (const verb of VERBS) expect(stdout).toMatch(new RegExp(`^ {2}${verb}\\b`, 'm'));
    expect(stdout).toMatch(/Examples:\n {2}\$ recall-matrix run /);
    expect(stdout).toMatch(/Exit codes: 0 done; 1 internal fault; 2 invalid input;/);
  });

  it('CL-1 the help of every verb shows an example', async () => {
    for (const verb of WITH_EXAMPLES) {
      const { stdout } = await exits(0, command([...verb, '--help']));
      expect(stdout, verb.join(' ')).toMatch(new RegExp(`Examples?:\\n {2}\\$ recall-matrix ${verb.join(' ')}\\b`));
    }
  });

  it.each([
    ['an unknown verb', ['rum'], /unknown command 'rum'/],
    ['an unknown option', ['run', 'm.yaml', '--fast'], /unknown option '--fast'/],
    ['a run of nothing', ['run'], /run needs a matrix, or --resume RUN/],
    ['two ways to go on', ['run', '--resume', 'x', '--extend', 'x'], /name one of them/],
    ['a sample of a run that began', ['run', '--resume', 'x', '--sample', '3'], /resumed as it was begun/],
    ['another ledger of a run that began', ['run', '--resume', 'x', '--ledger-url-env', 'L'], /keeps its ledger where/],
    ['a seed of no sample', ['plan', 'm.yaml', '--seed', '3'], /--seed is the seed of --sample/],
    ['a sample of none', ['plan', 'm.yaml', '--sample', '0'], /whole number from 1 on/],
    ['a missing argument', ['plan'], /missing required argument 'matrix'/],
    ['an argument too many', ['plan', 'a.yaml', 'b.yaml'], /too many arguments/],
    ['a missing argument below a verb', ['bank', 'show'], /missing required argument 'file'/],
    ['an unknown option below a verb', ['bank', 'list', '--fast'], /unknown option '--fast'/],
    ['a missing option', ['bank', 'abandon', 'x'], /required option '--reason <text>'/],
  ])('CL-2 %s: exit 2, nothing on standard output, and where help is', async (_title, args, words) => {
    const { stdout, stderr } = await exits(2, command(args));
    expect(stdout).toBe('');
    expect(stderr).toMatch(words);
    expect(stderr).toContain('--help shows examples');
    if (args[0] === 'bank')
      expect(stderr).toContain(`(recall-matrix ${args.slice(0, 2).join(' ')} --help shows examples)`);
  });
});
