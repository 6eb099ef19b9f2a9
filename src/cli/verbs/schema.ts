import { Argument, Command } from 'commander';
import { type CliIo, printJson } from '../io.js';

const FORMATS = ['matrix', 'observation', 'prices', 'lesson-event', 'lesson-transition', 'threshold-profile'] as const;
type Format = (typeof FORMATS)[number];

/** `schema`: JSON Schemas, made from the definitions that validate (MX-1, OB-1). */
export function schemaVerb(io: CliIo): Command {
  return new Command('schema')
    .description('Print the JSON Schema of a format.')
    .addArgument(new Argument('<format>', 'which format').choices(FORMATS))
    .addHelpText('after', '\nExample:\n  $ recall-matrix schema matrix > matrix.schema.json')
    .action(async (format: Format) => {
      const { toJSONSchema } = await import('zod');
      printJson(io, toJSONSchema(await schemaOf(format), { io: 'input', unrepresentable: 'any' }));
    });
}

async function schemaOf(format: Format) {
  switch (format) {
    case 'matrix':
      return (await import('../../matrix/matrix-schema.js')).matrixSchema;
    case 'observation':
      return (await import('../../experiment/asking/observation.js')).observationSchema;
    case 'prices':
      return (await import('../../provider/prices.js')).priceTableSchema;
    case 'lesson-event':
      return (await import('../../lessons/lesson-event.js')).lessonEventSchema;
    case 'lesson-transition':
      return (await import('../../lessons/lessons.js')).transitionSchema;
    case 'threshold-profile':
      return (await import('../../lessons/threshold-profile.js')).thresholdProfileSchema;
  }
}
