import { ChainClock } from '../chain/chain-clock.js';
import type { PendingBlock } from '../chain/pending-blocks.js';
import { followerInfo } from '../consensus/consensus-info.js';
import type { SealTiming } from '../consensus/shell/ports.js';
import type { ConsensusShell } from '../consensus/shell/shell.js';
import type { Genesis } from '../generated/ledger.js';
import { isDevelopmentChain } from '../ledger/dev-genesis.js';
import { nextBaseFee } from '../ledger/fees.js';
import { addressHex } from '../ledger/hex-types.js';
import type { DevHandlers } from '../rpc/methods/dev.js';
import { watchServices } from '../rpc/metrics/service-metrics.js';
import { type NodeCore, openCore } from './core/open-core.js';
import { ControlSealer } from './dev/control-sealer.js';
import { DevClock } from './dev/dev-clock.js';
import { DevControls } from './dev/dev-controls.js';
import { openFollower } from './follower/open-follower.js';
import { isFollower } from './follower/trust-anchor.js';
import { ForkCopies } from './fork/fork-copies.js';
import { mainHandlers } from './main-handlers.js';
import type { NodeContext, RunningServices, Upstream } from './node-context.js';
import { observeChain } from './observe-chain.js';
import { openValidator } from './open-validator.js';

/** Opens the chain and all that serves it. @param upstream a follower's sources and trust anchor */
export async function openParts(
  context: NodeContext,
  genesis: Genesis,
  upstream?: Upstream,
): Promise<RunningServices> {
  const { sealing, front, teardown } = context;
  const chainClock = new ChainClock(context.now);
  const { now } = chainClock;
  const core = await openCore({ ...context, chainNow: now }, context.base, genesis);
  const onSealed: OnSealed = (block, timing) => observeChain(context, block, timing);
  const clock = hasDevControls(context, genesis) ? new DevClock(chainClock, core.devRecord) : undefined;
  const onApplied = followed(onSealed, chainClock, genesis);
  const following = upstream && openFollower(context, core, upstream, onApplied);
  const copies = forkCopies(context, core);
  const validating =
    following === undefined ? await openValidator(context, core, { now, onSealed, copies }) : undefined;
  const shell = validating?.shell;
  watchCore(context, core, now);
  const { chain, checkpoints, waiters } = core;
  const copy =
    copies === undefined || shell === undefined
      ? undefined
      : async (names: readonly Uint8Array[]) => {
          if (copies.wantAll(names)) await shell.sealSoon({ timestampMs: now() });
        };
  const handlers = mainHandlers({ ...context, now }, core, {
    following,
    copy,
    agreement: shell ?? followerInfo(chain),
    gatheredChanges: () => validating?.gatheredChanges() ?? [],
  });
  context.events.open({ chain, reads: core.reads, pending: core.feed.asFeed() });
  front?.open(core, {
    teardown,
    clock: chainClock.memory,
    following: following === undefined ? undefined : () => following.follower.report(),
    hasKey: () => shell?.epochKeyAvailable ?? true,
    hasControls: clock !== undefined,
  });
  const controls = clock === undefined || shell === undefined ? undefined : devControls(core, clock, shell);
  if (copies !== undefined && sealing === 'paced' && chain.tip.header.height === 0n) {
    // Nobody may see the accounts that a new fork funds before block 1 has copied their nonces.
    shell?.start();
    await shell?.sealSoon({ timestampMs: now() });
  }
  return {
    handlers,
    controls: () => controls,
    start: async () => {
      following?.follower.start();
      if (sealing === 'paced') shell?.start();
    },
    checkpointParts: () => ({ checkpoints, tipHeight: () => chain.tip.header.height }),
    releaseWaiters: () => waiters.settleAll(),
    chain: () => ({
      chainId: chain.genesis.chain_id,
      genesisHash: Buffer.from(chain.genesisHash).toString('hex'),
      devAccounts: isDevelopmentChain(chain.genesis.validator_set)
        ? chain.genesis.accounts.map(({ address }) => address)
        : [],
      balanceOf: (address) => chain.accounts.account(addressHex(address)).balance,
      sealNow: (timestampMs) =>
        shell?.sealNow(timestampMs) ?? Promise.reject(new Error('a follower seals no blocks')),
    }),
  };
}

type OnSealed = (block: PendingBlock, timing: SealTiming) => void;

/** On a development chain, blocks set the follower's clock. */
function followed(onSealed: OnSealed, clock: ChainClock, { validator_set }: Genesis): OnSealed {
  if (!isDevelopmentChain(validator_set)) return onSealed;
  return (block, timing) => {
    clock.followBlock(block.header.timestamp_ms);
    onSealed(block, timing);
  };
}

/** True on the node that seals the blocks of a development chain by its own pace. */
function hasDevControls({ config, sealing }: NodeContext, genesis: Genesis): boolean {
  const isSealer = config.validator === undefined && !isFollower(config) && sealing === 'paced';
  return isSealer && isDevelopmentChain(genesis.validator_set);
}

function forkCopies({ fork }: NodeContext, core: NodeCore): ForkCopies | undefined {
  if (fork === undefined) return undefined;
  const { thread, genesis, initial } = fork;
  const funded = new Map(genesis.accounts.map(({ address, balance }) => [addressHex(address), balance]));
  const copies = new ForkCopies({ ...core, thread, funded, accounts: core.chain.accounts });
  for (const name of initial) copies.want(name);
  return copies;
}

function devControls(core: NodeCore, clock: DevClock, shell: ConsensusShell<PendingBlock>): DevHandlers {
  const sealer = new ControlSealer({ ...core, sealSoon: (block) => shell.sealSoon(block), now: clock.now });
  const { devRecord: record, chain } = core;
  return new DevControls({ ...core, sealer, clock, record, accounts: chain.accounts }).handlers;
}

function watchCore({ metrics, config: { poolBytes } }: NodeContext, core: NodeCore, now: () => number): void {
  const { store, chain, pending, pool, waiters, checkpoints } = core;
  metrics.rpc.watchQueue('calls', () => core.calls.waiting);
  metrics.rpc.watchQueue('reads', () => core.reads.waiting);
  const { calls, reads, blocks } = core.workers;
  watchServices(metrics.registry, {
    pools: { calls, reads, blocks },
    store: () => store.figures?.(),
    pool: () => ({ ...pool.stats(), capacityBytes: poolBytes }),
    checkpointHeight: () => checkpoints.latest?.height,
  });
  metrics.chain.watch({
    tipTimeMs: () => Number(chain.tip.header.timestamp_ms),
    now,
    height: () => chain.tip.header.height,
    baseFee: () => nextBaseFee(chain.tip.header),
    poolTransactions: () => pool.size,
    poolBytes: () => pool.stats().bytes,
    waiters: () => waiters.size,
    storeBytes: () => store.sizeBytes(),
    pendingBlocks: () => pending.size,
    pendingBytes: () => pending.bytes,
  });
}
