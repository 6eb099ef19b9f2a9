import { Argument, Command } from 'commander';
import { type CliIo, printJson } from '../io.js';

/** `schema`: JSON Schemas, made from the definitions that validate (MX-1, OB-1). */
export function schemaVerb(io: CliIo): Command {
  return new Command('schema')
    .description('Print the JSON Schema of a format.')
    .addArgument(new Argument('<format>', 'which format').choices(['matrix', 'observation', 'prices']))
    .addHelpText('after', '\nExample:\n  $ recall-matrix schema matrix > matrix.schema.json')
    .action(async (format: 'matrix' | 'observation' | 'prices') => {
      const { toJSONSchema } = await import('zod');
      printJson(io, toJSONSchema(await schemaOf(format), { io: 'input', unrepresentable: 'any' }));
    });
}

async function schemaOf(format: 'matrix' | 'observation' | 'prices') {
  switch (format) {
    case 'matrix':
      return (await import('../../matrix/matrix-schema.js')).matrixSchema;
    case 'observation':
      return (await import('../../experiment/observation.js')).observationSchema;
    case 'prices':
      return (await import('../../provider/prices.js')).priceTableSchema;
  }
}
