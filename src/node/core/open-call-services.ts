import type { CommittedChain } from '../../chain/committed-chain.js';
import type { Limits } from '../../config/limits.js';
import type { Crypto } from '../../crypto/crypto.js';
import { BlockWriteLogs } from '../../execution/calls/block-write-logs.js';
import { Reads } from '../../execution/calls/reads.js';
import { TracedCalls } from '../../execution/calls/traced-calls.js';
import { type Calls, WorkerCalls } from '../../execution/calls/worker-calls.js';
import { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import type { StoreReader } from '../../storage/store.js';
import type { Workers } from './open-workers.js';

export interface CallServicesOptions {
  readonly config: Limits;
  readonly crypto: Crypto;
  readonly store: StoreReader;
  readonly chain: CommittedChain;
  readonly workers: Workers;
  /** The clock for block timestamps, milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a caller's listener throws. */
  readonly onFault: (error: unknown) => void;
}

/** What answers the calls of the main thread, and those that front threads pass on. */
export interface CallServices {
  /** View calls, simulations and traces. */
  readonly calls: Calls;
  readonly reads: Reads;
  /** The queue behind `reads`. */
  readonly readCalls: Calls;
  readonly interfaces: ContractInterfaces;
}

/** Time limit of one read, in milliseconds: far longer than any properly bounded read takes. */
const MAX_READ_MS = 30_000;

/** Puts one queue in front of the workers for calls, and one in front of those for reads. */
export function openCallServices(options: CallServicesOptions): CallServices {
  const { config, chain, workers, now, onFault } = options;
  const { memory } = workers;
  const shared = {
    heights: () => ({ tip: chain.tip.header.height, finalized: chain.finalizedHeight }),
    maxWaitMs: config.maxCallWaitMs,
    now,
    onFault,
  };
  const { maxCallMs } = config;
  const calls = new WorkerCalls({ ...shared, pool: workers.calls, progress: memory.callProgress, maxCallMs });
  const readCalls = new WorkerCalls({
    ...shared,
    pool: workers.reads,
    progress: memory.readProgress,
    maxCallMs: MAX_READ_MS,
  });
  return {
    calls: new TracedCalls({ calls, writeLogs: new BlockWriteLogs({ calls }) }),
    reads: new Reads(readCalls),
    readCalls,
    interfaces: new ContractInterfaces(options.store, options.crypto),
  };
}
