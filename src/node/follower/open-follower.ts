import { BlockImport, type ImportOptions } from '../../chain/block-import.js';
import { checkpointInterval } from '../../config/defaults.js';
import { validatorsHash } from '../../ledger/header.js';
import { certifiedBlock } from '../../sync/follow/certified-range.js';
import { Follower } from '../../sync/follow/follower.js';
import { Forwarder } from '../../sync/follow/forwarder.js';
import { RangeFetcher } from '../../sync/follow/range-fetcher.js';
import type { NodeCore } from '../core/open-core.js';
import type { NodeContext, Upstream } from '../node-context.js';

export interface FollowerParts {
  readonly follower: Follower;
  readonly forwarder: Forwarder;
}

/** Builds a follower from sources that have started; does not start following. */
export function openFollower(
  { config, log, teardown, now, fail }: NodeContext,
  core: NodeCore,
  { sources, trust }: Upstream,
  onApplied: ImportOptions['onCommitted'],
): FollowerParts {
  const { crypto, chain, blocks, admission, signatures } = core;
  const { reads: workers } = core.workers;
  const fetcher = new RangeFetcher({
    sources,
    rules: {
      crypto,
      chainId: chain.tip.header.chain_id,
      validatorsHash: (epoch) => {
        const set = chain.validatorsAt(epoch);
        return set === undefined ? undefined : validatorsHash(crypto, set);
      },
      certifiedBlock: (block, finality) =>
        certifiedBlock({ crypto, workers, groupPublicKey: trust.groupPublicKey }, block, finality),
    },
    hashAt: (height) => (height > chain.tip.header.height ? undefined : blocks.header(height)?.hash),
    checkpointInterval: BigInt(checkpointInterval(config)),
    now,
  });
  const follower = new Follower({
    chain,
    sources,
    fetcher,
    log,
    now,
    onApplied,
    onFailure: fail,
    blockImport: new BlockImport(core),
  });
  teardown.add(() => follower.stop());
  const forwarder = new Forwarder({
    ...core,
    sources,
    log,
    now,
    verify: (transaction) => signatures.verify(transaction),
    admit: (transaction, client) => admission.submitVerified(transaction, client),
    isIncluded: (hash) => blocks.positionOf(hash) !== undefined,
    tipHeight: () => chain.tip.header.height,
  });
  teardown.add(() => forwarder.ended);
  return { follower, forwarder };
}
