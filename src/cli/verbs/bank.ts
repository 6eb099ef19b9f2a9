import { resolve } from 'node:path';
import { Command } from 'commander';
import { counted } from '../../core/counted.js';
import { type CliIo, print, printJson } from '../io.js';
import { withDatabase } from '../matrix-options.js';
import { bankContinueVerb } from './bank-continue.js';
import { bankExpectVerb } from './bank-expect.js';

/** Two kinds of bank lie in one folder; their names tell them apart. */
const isVectorBank = (file: string): boolean => file.endsWith('.vectors.bin');

/** `bank`: list, show, verify, abandon and continue recordings (FB-15). */
export function bankVerb(io: CliIo): Command {
  const command = new Command('bank').description(
    'List, show and verify banks; abandon or continue interrupted recordings.',
  );
  command
    .command('list')
    .description('List the banks, interrupted and failed recordings of a folder.')
    .argument('[folder]', 'the bank folder', './banks')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ recall-matrix bank list banks')
    .action(async (folder: string, flags: { json?: boolean }) => {
      const { listBanks } = await import('../../experiment/inspect-banks.js');
      const { showBankList } = await import('../../report/tables/bank-table.js');
      const listing = await listBanks(resolve(io.workingFolder, folder));
      if (listing.broken.length > 0) io.fail(['bank']);
      if (flags.json) printJson(io, listing);
      else print(io, showBankList(listing));
    });
  command
    .command('show')
    .description('Show one bank: digest, identities, calls, attempts, usage, attributed cost, state, size.')
    .argument('<file>', 'the bank file')
    .option('--prices <file>', 'a price table, for the attributed cost')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ recall-matrix bank show banks/NAME.bank.json')
    .action(async (file: string, flags: { prices?: string; json?: boolean }) => {
      const { describeBank, describeVectorBank } = await import('../../experiment/inspect-banks.js');
      const { showBank, showVectorBank } = await import('../../report/tables/bank-table.js');
      const prices = flags.prices === undefined ? null : resolve(io.workingFolder, flags.prices);
      const path = resolve(io.workingFolder, file);
      const description = await (isVectorBank(file) ? describeVectorBank : describeBank)(path, prices);
      if (flags.json) printJson(io, description);
      else if (description.format === 'bank-description@1') print(io, showBank(description));
      else print(io, showVectorBank(description));
    });
  withDatabase(
    command
      .command('verify')
      .description(
        'Replay a bank against its fixture, and compare the state with the sealed one; of a vector bank, compare its texts. Sends nothing.',
      )
      .argument('<file>', 'the bank file')
      .requiredOption('--fixture <folder>', 'the fixture that it was recorded from')
      .option('--matrix <file>', 'a matrix that names the policy module that it was formed by, where it was')
      .option('--json', 'print one JSON document')
      .addHelpText(
        'after',
        '\nExample:\n  $ recall-matrix bank verify banks/NAME.bank.json --fixture fixtures/harbour-clinic',
      ),
    io,
  ).action(async (file: string, flags: { fixture: string; matrix?: string; json?: boolean; databaseUrl?: string }) => {
    if (isVectorBank(file)) {
      const { verifyVectorBank } = await import('../../experiment/vectors/verify-vector-bank.js');
      const checked = await verifyVectorBank(resolve(io.workingFolder, file), resolve(io.workingFolder, flags.fixture));
      if (flags.json) printJson(io, checked);
      else
        print(
          io,
          `${checked.vector_bank}\ntexts: ${checked.items}, equal to the ${checked.unit} of ${checked.fixture}; pinned: ${checked.queries} of ${counted(checked.questions, 'question')}; vectors were not embedded anew`,
        );
      return;
    }
    const { verifyBank } = await import('../../experiment/verify-bank.js');
    const verified = await verifyBank({
      bankPath: resolve(io.workingFolder, file),
      fixturePath: resolve(io.workingFolder, flags.fixture),
      matrixPath: flags.matrix === undefined ? null : resolve(io.workingFolder, flags.matrix),
      databaseUrl: flags.databaseUrl ?? null,
      clock: io.clock,
      signal: io.signal,
    });
    if (flags.json) printJson(io, verified);
    else
      print(
        io,
        `${verified.bank}\nreplayed ${counted(verified.calls, 'call')} against ${verified.fixture}: state ${verified.state} is equal (${counted(verified.beliefs, 'belief')}, ${counted(verified.people, 'person', 'people')})`,
      );
  });
  command
    .command('abandon')
    .description('Move an interrupted recording to the failed ones, where it stays listed.')
    .argument('<journal>', 'the pending journal')
    .requiredOption('--reason <text>', 'why; it is kept')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ recall-matrix bank abandon banks/NAME.pending.jsonl --reason "wrong model"')
    .action(async (journal: string, flags: { reason: string; json?: boolean }) => {
      const { abandonRecording } = await import('../../experiment/inspect-banks.js');
      const abandoned = await abandonRecording(resolve(io.workingFolder, journal), flags.reason, io.clock);
      const { moved_to } = abandoned;
      if (flags.json) printJson(io, abandoned);
      else if (moved_to === null) print(io, 'the bank of this recording is complete: nothing was abandoned');
      else print(io, `moved to ${moved_to}`);
    });
  command.addCommand(bankContinueVerb(io));
  command.addCommand(bankExpectVerb(io));
  return command;
}
