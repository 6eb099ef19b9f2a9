import { messageOf, RecallMatrixError } from '../../core/errors.js';
import { clustersFolder } from './cluster-folder.js';
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from './embedded-server.js';
import { borrowedIdentity } from './identity.js';
import { openKeptCluster } from './kept-cluster.js';

/** A local server, and what the user should know of it. */
export interface LocalServer {
  readonly server: EmbeddedServer;
  /** Why the kept cluster is not used, where it should have been. */
  readonly note: string | null;
}

/**
 * The local server of an invocation: that of the user's kept cluster (PG-5), or, where that cannot be had, one of the invocation's own, with a
 * note: a run needs no more than scratch databases.
 *
 * @throws kind `database` (exit 8) where neither starts; the signal's reason where it is aborted.
 */
export async function openLocalServer(options: EmbeddedOptions): Promise<LocalServer> {
  const clusters = clustersFolder(borrowedIdentity() !== null);
  if (clusters === null) return { server: await startEmbedded(options), note: null };
  try {
    return { server: await openKeptCluster(clusters, options), note: null };
  } catch (error) {
    if (options.signal.aborted) throw error;
    const server = await startEmbedded(options);
    const remedy = error instanceof RecallMatrixError && error.remedy !== undefined ? `; ${error.remedy}` : '';
    return {
      server,
      note: `the kept database cluster cannot be used, so this run has one of its own: ${messageOf(error)}${remedy}`,
    };
  }
}
