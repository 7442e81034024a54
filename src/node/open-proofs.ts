import { checkpointInterval } from '../config/defaults.js';
import { ProofService, type ProofServiceOptions } from '../proofs/proof-service.js';
import { writeTree } from '../proofs/write-tree.js';
import type { Store } from '../storage/store.js';
import type { CoreOptions } from './core/core-options.js';

/**
 * Starts the proof worker; resolves once it has the tree of the tip's state root.
 * @param options `onFailure` is called when the worker fails
 * @param tip undefined if the store has no blocks
 */
export function startProofs(
  { config, log, onFailure }: Pick<CoreOptions, 'config' | 'log' | 'onFailure'>,
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

/** Builds the state tree of a store that has just received a state, and stores it. */
export async function buildTree(
  options: Pick<CoreOptions, 'config' | 'log'>,
  store: Store,
  tip: ProofServiceOptions['tip'],
): Promise<void> {
  const proofs = await startProofs({ ...options, onFailure: () => undefined }, store, tip);
  await writeTree(store, await proofs.stop());
}
