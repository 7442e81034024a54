import type { Config } from '../config/config.js';
import { checkpointInterval } from '../config/defaults.js';
import type { Logger } from '../log.js';
import { ProofService, type ProofServiceOptions } from '../proofs/proof-service.js';
import { writeTree } from '../proofs/write-tree.js';
import type { Store } from '../storage/store.js';

export interface OpenProofsOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Called when the worker fails. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Starts the proof worker; resolves once it has the tree of the tip's state root.
 * @param tip undefined if the store has no blocks
 */
export function startProofs(
  { config, log, onFailure }: OpenProofsOptions,
  store: Store,
  tip: ProofServiceOptions['tip'],
): Promise<ProofService> {
  return ProofService.start({
    store: store.handle,
    native: config.native,
    tip,
    memoryBytes: config.treeMemoryBytes,
    proofWindow: config.proofWindow,
    checkpointInterval: checkpointInterval(config),
    onProgress: ({ stage, reason, fraction, keys }) =>
      log.info(
        { stage, reason, percent: Math.floor(fraction * 100), keys },
        stage === 'rebuild' ? 'rebuilding the state tree' : 'bringing the state tree up to the tip',
      ),
    onFailure,
    writeTree: (encoded) => writeTree(store, encoded),
  });
}
