import { z } from 'zod';
import type { ObjectSchema } from '../../src/experiment/reading/result-fields.js';
import { runResultSchemaOf } from '../../src/experiment/reading/run-result-schema.js';

/** `run-result@1` as `run --json` prints it: nothing more than is stated. */
export const strictRunResultSchema = runResultSchemaOf(z.strictObject as unknown as ObjectSchema);
