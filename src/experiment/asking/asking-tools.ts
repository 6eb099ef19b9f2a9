import type { Fixture } from '../../fixture/fixture.js';
import type { ContextAssembler } from '../../memory/context/context.js';
import type { BlockId } from '../block-id.js';
import type { RunFolder } from '../run-folder.js';
import type { Session } from '../session.js';
import type { QueryVectors } from '../vectors/query-vectors.js';

/** What a block hands to each of its questions. */
export interface AskingTools {
  readonly id: BlockId;
  readonly session: Session;
  readonly fixture: Fixture;
  readonly folder: RunFolder;
  readonly assembler: ContextAssembler;
  readonly queries: QueryVectors | null;
}
