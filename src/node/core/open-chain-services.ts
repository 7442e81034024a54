import type { Certificates } from '../../chain/certificates.js';
import { DevRecord } from '../../chain/dev-record.js';
import { Pruner } from '../../chain/prune.js';
import { checkpointInterval } from '../../config/defaults.js';
import type { Genesis } from '../../generated/ledger.js';
import { cutCheckpoint } from '../../proofs/snapshot/cut-checkpoint.js';
import type { Store } from '../../storage/store.js';
import { Checkpoints } from '../../sync/checkpoints.js';
import { type NodeBase, nativeReport } from '../open-base.js';
import type { CoreOptions } from './core-options.js';
import { openCertificates } from './open-certificates.js';
import type { ChainState } from './open-chain-state.js';
import type { Workers } from './open-workers.js';

/** Pause after each chunk of a cut, as a share of its cutting time: a running node has more urgent work. */
const REST_RATIO = 0.5;

/** The services that prove, keep and open blocks of the committed chain. */
export interface ChainServices {
  readonly certificates: Certificates;
  readonly checkpoints: Checkpoints;
  /** The group's private key, 32 bytes; undefined on a node without it. */
  readonly groupKey: Uint8Array | undefined;
  /** Whether this node, or other validators, can open sealed transactions. */
  readonly canOpen: boolean;
  /** Facts of development controls; unused on other chains. */
  readonly devRecord: DevRecord;
}

/** Opens certificates and checkpoints, and starts pruning old states. @throws ValidatorKeyError, CryptoError */
export async function openChainServices(
  options: CoreOptions,
  parts: {
    readonly base: NodeBase;
    readonly genesis: Genesis;
    readonly chainState: ChainState;
    readonly workers: Pick<Workers, 'reads'>;
  },
): Promise<ChainServices> {
  const { config, log, report = nativeReport(log), teardown } = options;
  const { genesis, workers } = parts;
  const { crypto, store } = parts.base;
  const { chain, blocks, pending } = parts.chainState;
  const devRecord = new DevRecord(store);
  const pruner = new Pruner(
    store,
    chain,
    BigInt(config.stateRetention),
    (error) => log.error({ err: error }, 'pruning failed; it is retried later'),
    () => devRecord.oldestHeld,
  );
  teardown.add(() => pruner.stop());
  const { certificates, groupKey } = await openCertificates(
    { config, log, report },
    { crypto, genesis, store, blocks, workers: workers.reads, committing: () => pending.committing },
  );
  const checkpoints = openCheckpoints(options, store, parts.chainState);
  const hasOthers = config.follow.length > 0 || config.validator !== undefined;
  // What an envelope reads is known only when it is opened, too late to copy it to a fork.
  const canOpen = (hasOthers || groupKey !== undefined) && store.base === undefined;
  return { certificates, checkpoints, groupKey, canOpen, devRecord };
}

/** Starts keeping the checkpoints of an open chain, and their trees, so that keys can be proved at them. */
function openCheckpoints(
  { config, log, teardown, onCheckpoint }: CoreOptions,
  store: Store,
  { chain, blocks, proofs }: ChainState,
): Checkpoints {
  const keepTrees = (checkpoints: Pick<Checkpoints, 'before'>) => {
    const heights = Array.from(checkpoints.before(), ({ height }) => height);
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
    cut: async (height, signal) => {
      const begun = performance.now();
      const { native } = config;
      const state = await cutCheckpoint({
        store: store.handle,
        native,
        height,
        restRatio: REST_RATIO,
        signal,
      });
      onCheckpoint?.(performance.now() - begun);
      return state;
    },
    onCut: ({ height, entries, chunk_count }, all) => {
      log.info(
        { height: height.toString(), entries: entries.toString(), chunks: chunk_count },
        'cut a checkpoint',
      );
      keepTrees(all);
    },
    onError: (error) => {
      onCheckpoint?.('failed');
      log.error({ err: error }, 'a checkpoint could not be cut; the next one will be tried');
    },
  });
  keepTrees(checkpoints);
  teardown.add(() => checkpoints.stop());
  return checkpoints;
}
