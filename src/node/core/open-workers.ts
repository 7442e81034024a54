import type { Chain } from '../../chain/chain.js';
import { createProgressMemory } from '../../execution/calls/worker-call.js';
import { ExecutionPool } from '../../execution/pool/execution-pool.js';
import { LazyPool } from '../../execution/pool/lazy-pool.js';
import { ChangeTable } from '../../execution/views/change-table.js';
import { codeShare, instanceShares } from '../../vm/thread-shares.js';
import type { NodeEnvironment } from './core-options.js';
import type { ChainState } from './open-chain-state.js';

/** The node's worker threads, in pools that never wait for each other. */
export interface Workers {
  /** View calls, simulations and traces. */
  readonly calls: ExecutionPool;
  /** Listings, logs, receipts, ranges, certificates: short reads, which must not queue behind long calls. */
  readonly reads: LazyPool;
  /** Block work, which must not wait for RPC. */
  readonly blocks: LazyPool;
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

/** Opens the pools; threads for reads and blocks start with their first task. */
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
  const instances = instanceShares(config.workers, config.blockWorkers);
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
    // The last worker starts only under load: a node without calls saves its memory.
    startedWorkers: Math.max(1, config.workers - 1),
  });
  const blocks = new LazyPool({
    name: 'block-',
    setup: { native, codeBytes, store: store.handle, instances: instances.blocks },
    workers: config.blockWorkers,
    onWorkerError: onIdleError('blocks'),
  });
  const reads = new LazyPool({
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
