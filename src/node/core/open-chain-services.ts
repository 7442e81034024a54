import type { Certificates } from '../../chain/certificates.js';
import { Pruner } from '../../chain/prune.js';
import type { Genesis } from '../../generated/ledger.js';
import type { Checkpoints } from '../../sync/checkpoints.js';
import { type NodeBase, nativeReport } from '../open-base.js';
import type { CoreOptions } from './core-options.js';
import { openCertificates } from './open-certificates.js';
import type { ChainState } from './open-chain-state.js';
import { openCheckpoints } from './open-checkpoints.js';
import type { Workers } from './open-workers.js';

/** The services that prove, keep and open blocks of the committed chain. */
export interface ChainServices {
  readonly certificates: Certificates;
  readonly checkpoints: Checkpoints;
  /** The private key of the group key, 32 bytes; undefined on a node without it. */
  readonly groupKey: Uint8Array | undefined;
  /** Whether this node, or other validators, can open sealed transactions. */
  readonly canOpen: boolean;
}

/** Opens certificates and checkpoints, and starts pruning old states. @throws ValidatorKeyError, CryptoError */
export async function openChainServices(
  { config, log, report = nativeReport(log), teardown }: CoreOptions,
  parts: {
    readonly base: NodeBase;
    readonly genesis: Genesis;
    readonly chainState: ChainState;
    readonly workers: Pick<Workers, 'reads'>;
  },
): Promise<ChainServices> {
  const { genesis, workers } = parts;
  const { crypto, store } = parts.base;
  const { chain, blocks, pending, proofs } = parts.chainState;
  const pruner = new Pruner(store, chain, BigInt(config.stateRetention), (error) =>
    log.error({ err: error }, 'pruning failed; it is retried later'),
  );
  teardown.add(() => pruner.stop());
  const { certificates, groupKey } = await openCertificates(
    { config, log, report },
    { crypto, genesis, store, blocks, workers: workers.reads, committing: () => pending.committing },
  );
  const checkpoints = openCheckpoints({ config, log, teardown, store, chain, blocks, proofs });
  const hasOthers = config.follow.length > 0 || config.validator !== undefined;
  return { certificates, checkpoints, groupKey, canOpen: hasOthers || groupKey !== undefined };
}
