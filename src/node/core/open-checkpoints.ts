import type { Chain } from '../../chain/chain.js';
import type { Config } from '../../config/config.js';
import { checkpointInterval } from '../../config/defaults.js';
import type { BlockReader } from '../../ledger/block-store.js';
import type { Logger } from '../../log.js';
import type { ProofService } from '../../proofs/proof-service.js';
import { cutCheckpoint } from '../../proofs/snapshot/cut-checkpoint.js';
import type { Store } from '../../storage/store.js';
import { Checkpoints } from '../../sync/checkpoints.js';
import type { Teardown } from '../teardown.js';

/** Pause after each chunk of a cut, as a share of its cutting time: a running node has more urgent work. */
const REST_RATIO = 0.5;

const MAX_HEIGHT = 0xffff_ffff_ffff_ffffn;

/** Starts keeping the checkpoints of an open chain, and their trees, so that keys can be proved at them. */
export function openCheckpoints({
  config,
  log,
  teardown,
  store,
  chain,
  blocks,
  proofs,
}: {
  readonly config: Config;
  readonly log: Logger;
  readonly teardown: Teardown;
  readonly store: Store;
  readonly chain: Chain;
  readonly blocks: BlockReader;
  readonly proofs: ProofService;
}): Checkpoints {
  const keepTrees = (checkpoints: Pick<Checkpoints, 'before'>) => {
    const heights = Array.from(checkpoints.before(MAX_HEIGHT), ({ height }) => height);
    proofs
      .keepCheckpoints(heights)
      .catch((error: unknown) => log.error({ err: error }, 'could not keep the trees of checkpoints'));
  };
  const checkpoints = new Checkpoints({
    store,
    chain,
    blocks,
    interval: BigInt(checkpointInterval(config)),
    kept: config.checkpointsKept,
    cut: (height, signal) =>
      cutCheckpoint({ store: store.handle, native: config.native, height, restRatio: REST_RATIO, signal }),
    onCut: ({ height, entries, chunk_count }, all) => {
      log.info(
        { height: height.toString(), entries: entries.toString(), chunks: chunk_count },
        'cut a checkpoint',
      );
      keepTrees(all);
    },
    onError: (error) =>
      log.error({ err: error }, 'a checkpoint could not be cut; the next one will be tried'),
  });
  keepTrees(checkpoints);
  teardown.add(() => checkpoints.stop());
  return checkpoints;
}
