import type { SlicedWork } from '../../async/sliced-work.js';
import { ChainClock } from '../../chain/chain-clock.js';
import { PublishedChain } from '../../chain/published-chain.js';
import { TipReader } from '../../chain/published-tip.js';
import { TipOpenings } from '../../chain/tip-openings.js';
import { packageVersion } from '../../config/package-info.js';
import type { Crypto } from '../../crypto/crypto.js';
import { Reads } from '../../execution/calls/reads.js';
import { ChangeTable } from '../../execution/views/change-table.js';
import { StateCache } from '../../execution/views/state-cache.js';
import { BlockReader } from '../../ledger/block-store.js';
import { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { PendingSenders } from '../../mempool/pending-senders.js';
import type { FrontThreadData, ServedChain } from '../../rpc/front/front-messages.js';
import { LinkedCalls, type MainLink } from '../../rpc/front/main-link.js';
import type { MethodHandlers } from '../../rpc/handlers.js';
import { buildSimulateHandler } from '../../rpc/methods/build.js';
import { callHandlers } from '../../rpc/methods/calls.js';
import { contractHandlers } from '../../rpc/methods/contracts.js';
import { epochHandlers } from '../../rpc/methods/epochs.js';
import { listingHandlers } from '../../rpc/methods/listings.js';
import { logHandlers } from '../../rpc/methods/logs.js';
import { receiptHandlers } from '../../rpc/methods/receipts.js';
import { statusHandler } from '../../rpc/methods/status.js';
import { includedStatus, includedTransaction } from '../../rpc/methods/transactions.js';
import type { RpcMetrics } from '../../rpc/metrics/rpc-metrics.js';
import type { KeptResults } from '../../rpc/results/kept-results.js';
import { knownChain } from '../../rpc/results/kept-results.js';
import type { BlockSource } from '../../rpc/subscriptions/block-channel.js';
import type { StoreReader } from '../../storage/store.js';
import { frontAccountHandlers } from './front-accounts.js';
import { FrontCalls } from './front-calls.js';
import { frontProbes } from './front-probes.js';
import { Heartbeat } from './heartbeat.js';

export interface FrontHandlerParts extends Pick<FrontThreadData, 'config' | 'index' | 'threads'> {
  readonly chain: ServedChain;
  readonly store: StoreReader;
  readonly crypto: Crypto;
  readonly link: MainLink;
  /** Answers all methods on the main thread. */
  readonly forward: MethodHandlers;
  readonly uptimeMs: () => number;
  /** Slices work that would otherwise block this thread for too long. */
  readonly work: SlicedWork;
  readonly metrics: RpcMetrics;
  /** Called with the source of this thread's subscriptions. */
  readonly openEvents: (source: BlockSource) => void;
  readonly results: KeptResults;
  /** Called with errors that clients must not see. */
  readonly onFault: (error: unknown, where: string) => void;
}

/** Maximum number of accounts in a front thread's cache, some 400 bytes each. */
const KEPT_ACCOUNTS = 50_000;
/** Maximum number of slots in the cache for calls, and of their bytes. */
const KEPT_SLOTS = 32_768;
const KEPT_SLOT_BYTES = 8 * 1024 * 1024;

/** Handlers of a front thread: it answers itself or through the execution pool, and forwards the rest. */
export function frontHandlers(parts: FrontHandlerParts): MethodHandlers {
  const { config, chain: served, store, crypto, link, forward, onFault } = parts;
  const cache = new StateCache({
    store,
    crypto,
    changes: ChangeTable.attach(served.changes),
    accounts: KEPT_ACCOUNTS,
    slots: KEPT_SLOTS,
    slotBytes: KEPT_SLOT_BYTES,
  });
  const { now } = new ChainClock(Date.now, served.clock);
  const chain = new PublishedChain(served, new TipReader(served.tip), { store, crypto, cache });
  const calls = new LinkedCalls(link, 'calls');
  const reads = new Reads(new LinkedCalls(link, 'reads'));
  const interfaces = new ContractInterfaces(store, crypto);
  parts.openEvents({ chain, reads });
  parts.results.serve(knownChain(chain, store));
  const blocks = new BlockReader(store);
  const sources = {
    ...config,
    ...parts,
    reads,
    interfaces,
    chain,
    cache,
    now,
    blocks,
    version: packageVersion(),
    pool: poolSize(served.poolSize),
    checkpoints: {
      get latest() {
        return chain.published.checkpoint;
      },
    },
    senders: new PendingSenders(served.pendingSenders),
    heartbeat: new Heartbeat(served.heartbeat),
    openings: new TipOpenings(chain, (height) => cache.at(height)),
    bestKnownHeight: () => chain.published.following?.bestKnownHeight,
  };
  const elsewhere = callHandlers({ calls });
  const frontCalls = new FrontCalls({
    ...sources,
    elsewhere,
    heights: () => ({ tip: chain.tip.header.height, finalized: chain.finalizedHeight }),
    onFault: (error) => onFault(error, 'loading the engine for calls'),
  });
  return {
    ...forward,
    status: statusHandler({ ...sources, ...followed(chain) }),
    ...frontProbes(sources),
    ...frontAccountHandlers(sources),
    ...contractHandlers(sources),
    ...elsewhere,
    // Only here is the allowance of the call known; the main thread knows the pool's nonces.
    tx_build_simulate: buildSimulateHandler(forward.tx_build, calls),
    ...frontCalls.handlers,
    ...listingHandlers(sources),
    ...logHandlers(sources),
    ...epochHandlers(sources),
    ...receiptHandlers(sources),
    tx_by_hash: includedHere(blocks, chain, forward),
  };
}

/** Answers for transactions in committed blocks; the main thread answers for the rest. */
function includedHere(
  blocks: BlockReader,
  chain: PublishedChain,
  forward: MethodHandlers,
): MethodHandlers['tx_by_hash'] {
  return (args, call) => {
    const { tx_hash } = args;
    const place = blocks.positionOf(tx_hash);
    // A block is stored shortly before it becomes the tip.
    if (place === undefined || place.height > chain.tip.header.height) return forward.tx_by_hash(args, call);
    const status = includedStatus(blocks, chain, tx_hash);
    if (status === undefined) return forward.tx_by_hash(args, call);
    const transaction = includedTransaction(blocks, tx_hash);
    return { status, ...(transaction === undefined ? {} : { transaction }) };
  };
}

function poolSize(memory: SharedArrayBuffer): { readonly size: number } {
  const words = new Int32Array(memory);
  return {
    get size() {
      return Atomics.load(words, 0);
    },
  };
}

/** Checks once whether the node follows others, because that does not change while it runs. */
function followed(chain: PublishedChain) {
  const { following } = chain.published;
  return following === undefined ? {} : { following: () => chain.published.following ?? following };
}
