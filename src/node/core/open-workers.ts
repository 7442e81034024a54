import type { Chain } from '../../chain/chain.js';
import { createProgressMemory } from '../../execution/calls/worker-call.js';
import { ExecutionPool } from '../../execution/pool/execution-pool.js';
import { ChangeTable } from '../../execution/views/change-table.js';
import { codeShare, instanceShares } from '../../vm/thread-shares.js';
import type { NodeEnvironment } from './core-options.js';
import type { ChainState } from './open-chain-state.js';

/** The node's worker threads, in pools that never wait for each other. */
export interface Workers {
  /** View calls, simulations and traces. */
  readonly calls: ExecutionPool;
  /** Listings, logs, receipts, ranges, certificates: short reads, which must not queue behind long calls. */
  readonly reads: ExecutionPool;
  /** Block work, which must not wait for RPC. */
  readonly blocks: ExecutionPool;
  readonly memory: WorkerMemory;
}

/** Memory shared by the workers and the threads that use them. */
export interface WorkerMemory {
  /** See ChangeTable. */
  readonly changes: SharedArrayBuffer;
  /** See CallSetup: of the workers for calls, and of those for reads. */
  readonly callProgress: SharedArrayBuffer;
  readonly readProgress: SharedArrayBuffer;
}

/** Opens the pools, whose threads start with their first tasks. */
export function openWorkers(
  { config, teardown, faults }: NodeEnvironment,
  { store, chain }: ChainState,
): Workers {
  const { native, maxAnswerBytes } = config;
  const onIdleError = (threads: string) => (error: unknown) =>
    faults.report(error, `a thread for ${threads} was idle`);
  // At least two: one stays free for other clients while a client's reads are slow.
  const readers = Math.max(2, Math.floor(config.workers / 4));
  const memory: WorkerMemory = {
    changes: trackChanges(chain).shared,
    callProgress: createProgressMemory(config.workers),
    readProgress: createProgressMemory(readers),
  };
  const instances = instanceShares(config.workers, config.blockWorkers, config.frontThreads);
  const codeBytes = codeShare(config.workers + config.blockWorkers);
  const calls = new ExecutionPool({
    setup: {
      native,
      maxAnswerBytes,
      codeBytes,
      store: store.handle,
      instances: instances.calls,
      calls: {
        maxCallGas: config.maxCallGas,
        maxPipelineSteps: config.maxPipelineSteps,
        maxBundleTransactions: config.maxBundleTransactions,
        maxTraceBytes: config.maxTraceBytes,
        changes: memory.changes,
        progress: memory.callProgress,
      },
    },
    workers: config.workers,
    onWorkerError: onIdleError('calls'),
  });
  const blocks = new ExecutionPool({
    name: 'block-',
    setup: { native, codeBytes, store: store.handle, instances: instances.blocks },
    workers: config.blockWorkers,
    onWorkerError: onIdleError('blocks'),
  });
  const reads = new ExecutionPool({
    name: 'read-',
    setup: { native, maxAnswerBytes, store: store.handle, reads: { progress: memory.readProgress } },
    workers: readers,
    onWorkerError: onIdleError('reads'),
  });
  teardown.add(() => Promise.all([reads.stop(), blocks.stop(), calls.stop()]));
  return { calls, reads, blocks, memory };
}

/** Creates a table that records the height of each change, starting with the next commit. */
function trackChanges(chain: Chain): ChangeTable {
  const changes = ChangeTable.create(Number(chain.tip.header.height));
  chain.onCommit('calls', ({ header, writes }) => {
    const height = Number(header.height);
    for (const { key } of writes) changes.mark(key, height);
  });
  return changes;
}
