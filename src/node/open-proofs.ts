import { checkpointInterval } from '../config/checkpoint-interval.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../log.js';
import { ProofService, type ProofServiceOptions } from '../proofs/proof-service.js';
import type { Store } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';

export interface OpenProofsOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Told when the worker can serve no more. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Starts the proof worker, which has a tree of the tip's state root once this resolves.
 * @param tip undefined on a store without blocks
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
    writeTree: (encoded) => writeTreeTo(store, encoded),
  });
}

/** Writes what the proof worker hands out of its tree. */
export async function writeTreeTo(store: Store, encoded: Uint8Array): Promise<void> {
  const batch = new WriteBatch();
  batch.append(encoded);
  await store.write(batch, { sync: false });
}
