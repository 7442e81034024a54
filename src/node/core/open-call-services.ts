import type { CommittedChain } from '../../chain/committed-chain.js';
import type { Limits } from '../../config/limits.js';
import type { Crypto } from '../../crypto/crypto.js';
import {
  BlockWriteLogs,
  MAX_WAITING_TRACES,
  MAX_WRITE_LOG_BYTES,
} from '../../execution/calls/block-write-logs.js';
import { CallScheduler, MAX_WAITING_BYTES, MAX_WAITING_CALLS } from '../../execution/calls/call-scheduler.js';
import { MAX_READ_MS, Reads } from '../../execution/calls/reads.js';
import { TransactionTracer } from '../../execution/calls/transaction-tracer.js';
import { CallChannels } from '../../execution/pool/call-channels.js';
import type { ExecutionTasks } from '../../execution/pool/execution-tasks.js';
import type { TaskWorkers } from '../../execution/task-runner.js';
import { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import type { StoreReader } from '../../storage/store.js';

interface ScheduledWorkers {
  readonly pool: TaskWorkers<ExecutionTasks>;
  readonly progress: SharedArrayBuffer;
}

export interface CallServicesOptions {
  readonly config: Limits;
  readonly crypto: Crypto;
  readonly store: StoreReader;
  readonly chain: CommittedChain;
  readonly calls: ScheduledWorkers;
  readonly reads: ScheduledWorkers;
  /** This thread's index among the workers' users: 0 for the main thread, then the front threads. */
  readonly place: number;
  /** Number of threads that share the workers and the limits on waiting calls, waiting traces and write logs. */
  readonly threads: number;
  /** The clock for block timestamps, milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a caller's result handler throws. */
  readonly onFault: (error: unknown) => void;
}

/** One thread's schedulers for the workers that answer calls. */
export interface CallServices {
  readonly views: CallScheduler;
  readonly reads: Reads;
  readonly tracer: TransactionTracer;
  readonly interfaces: ContractInterfaces;
}

/** Builds the schedulers of the main thread or of a front thread. */
export function openCallServices(options: CallServicesOptions): CallServices {
  const { config, chain, place, threads, now, onFault } = options;
  const schedule = ({ pool, progress }: ScheduledWorkers, maxCallMs: number) =>
    new CallScheduler({
      tasks: pool,
      pool: new CallChannels(pool),
      progress,
      place,
      share: Math.max(1, Math.floor(pool.workers / threads)),
      heights: () => ({ tip: chain.tip.header.height, finalized: chain.finalizedHeight }),
      maxCallMs,
      maxWaitMs: config.maxCallWaitMs,
      maxWaiting: Math.ceil(MAX_WAITING_CALLS / threads),
      maxWaitingBytes: Math.ceil(MAX_WAITING_BYTES / threads),
      now,
      onFault,
    });
  const views = schedule(options.calls, config.maxCallMs);
  const writeLogs = new BlockWriteLogs({
    calls: views,
    maxBytes: Math.ceil(MAX_WRITE_LOG_BYTES / threads),
    maxWaiting: Math.ceil(MAX_WAITING_TRACES / threads),
  });
  return {
    views,
    reads: new Reads(schedule(options.reads, MAX_READ_MS)),
    tracer: new TransactionTracer({ calls: views, writeLogs }),
    interfaces: new ContractInterfaces(options.store, options.crypto),
  };
}
