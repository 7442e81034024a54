import { checkpointInterval } from '../config/checkpoint-interval.js';
import type { Config } from '../config/config.js';
import type { Chain } from '../consensus/chain.js';
import type { BlockReader } from '../ledger/block-store.js';
import type { Logger } from '../log.js';
import { cutCheckpoint } from '../proofs/snapshot/cut-checkpoint.js';
import type { Store } from '../storage/store.js';
import { Checkpoints } from '../sync/checkpoints.js';
import type { Teardown } from './teardown.js';

/** Of the time that cutting takes, how much it rests in between: a running node has better to do. */
const REST_RATIO = 0.5;

/** Begins to keep the checkpoints of an open chain. */
export function openCheckpoints({
  config,
  log,
  teardown,
  store,
  chain,
  blocks,
}: {
  readonly config: Config;
  readonly log: Logger;
  readonly teardown: Teardown;
  readonly store: Store;
  readonly chain: Chain;
  readonly blocks: BlockReader;
}): Checkpoints {
  const checkpoints = new Checkpoints({
    store,
    chain,
    blocks,
    interval: BigInt(checkpointInterval(config)),
    kept: config.checkpointsKept,
    cut: (height, signal) =>
      cutCheckpoint({ store: store.handle, native: config.native, height, restRatio: REST_RATIO, signal }),
    onCut: ({ height, entries, chunk_count }) =>
      log.info(
        { height: height.toString(), entries: entries.toString(), chunks: chunk_count },
        'cut a checkpoint',
      ),
    onError: (error) => log.error({ err: error }, 'a checkpoint could not be cut; the next one is tried'),
  });
  teardown.add(() => checkpoints.stop());
  return checkpoints;
}
