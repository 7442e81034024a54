import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { loadConfig } from '../../src/config/config.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { encodeBatch, encodeCall } from '../../src/execution/calls/call-batch.js';
import { createProgressMemory } from '../../src/execution/calls/call-tasks.js';
import { ChangeTable } from '../../src/execution/views/change-table.js';
import { serveTasks } from '../../src/execution/worker/serve-tasks.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { createLogger } from '../../src/log.js';
import { type NodeCore, openCore } from '../../src/node/core/open-core.js';
import { openBase } from '../../src/node/open-base.js';
import { Teardown } from '../../src/node/teardown.js';
import { createHostCrypto } from '../../src/vm/host-crypto.js';
import { CONTRACT_STACK_MB } from '../../src/vm/thread-stack.js';
import { LIMITS } from '../../src/vm/wasm/limits.js';
import { VmWorld } from '../../test/support/vm-world.js';
import { quantile } from '../support/statistics.js';

export interface PoolOverheadTask {
  /** Data directory of a stopped node. */
  readonly dataDir: string;
  /** Address of the contract called on the node, and of `code` in the measurement of the engine alone. */
  readonly contract: Uint8Array;
  readonly code: Uint8Array;
  readonly init: Uint8Array;
  readonly input: Uint8Array;
  readonly inFlight: number;
  /** Number of rounds after a warm-up of one round. */
  readonly rounds: number;
}

/** Microseconds per call, medians of the rounds: wall-clock time, and CPU time of this process's threads. */
interface CallTime {
  readonly wall: number;
  readonly cpu: number;
}

export interface PoolOverhead {
  /** Through the pool with many calls in flight, from the main thread's call to the text of its answer. */
  readonly whole: CallTime;
  /** A worker's work, done in the calling thread: decode, read the state, run, write the answer. */
  readonly worker: CallTime;
  /** Only the engine's call of the contract, on a state in memory. */
  readonly contract: CallTime;
}

const CALLS = 20_000;
const BATCH = 32;

/**
 * Times one view call with and without the worker pool, on a stopped node's state. Runs in a thread with the stack that
 * contracts need.
 */
export async function poolOverhead(task: PoolOverheadTask): Promise<PoolOverhead> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: task,
    resourceLimits: { stackSizeMb: CONTRACT_STACK_MB },
  });
  const [measured]: PoolOverhead[] = await once(thread, 'message');
  if (measured === undefined) throw new Error('the thread that measures sent nothing');
  return measured;
}

async function measure(task: PoolOverheadTask): Promise<PoolOverhead> {
  const config = loadConfig({
    flags: { 'data-dir': task.dataDir, 'log-level': 'error' },
    environment: {},
    workingDirectory: task.dataDir,
  });
  const teardown = new Teardown();
  const fail = (error: Error): void => {
    throw error;
  };
  try {
    const base = await openBase({ config, log: await createLogger(config), teardown });
    const core = await openCore(
      {
        config,
        log: await createLogger(config),
        teardown,
        now: Date.now,
        onFailure: fail,
        faults: { report: fail },
      },
      base,
      devGenesis(base.crypto),
    );
    const ways = {
      whole: () => throughPool(core, task),
      worker: await inThisThread(core, task, config.maxCallGas),
      contract: await alone(task),
    };
    const samples: { readonly [W in keyof PoolOverhead]: CallTime[] } = {
      whole: [],
      worker: [],
      contract: [],
    };
    for (let round = 0; round <= task.rounds; round++) {
      for (const way of ['whole', 'worker', 'contract'] as const) {
        const begin = performance.now();
        const cpuBefore = process.cpuUsage();
        await ways[way]();
        const { user, system } = process.cpuUsage(cpuBefore);
        const wall = ((performance.now() - begin) * 1000) / CALLS;
        if (round > 0) samples[way].push({ wall, cpu: (user + system) / CALLS });
      }
    }
    return {
      whole: median(samples.whole),
      worker: median(samples.worker),
      contract: median(samples.contract),
    };
  } finally {
    await teardown.run();
  }
}

function median(samples: readonly CallTime[]): CallTime {
  const of = (kind: keyof CallTime): number =>
    quantile(
      samples.map((sample) => sample[kind]),
      0.5,
    );
  return { wall: of('wall'), cpu: of('cpu') };
}

function encodedCall({ contract, input }: PoolOverheadTask): Uint8Array {
  return encodeCall('view_call', rpcTypes.ViewCallArgs.toJson({ contract, input }));
}

function throughPool({ calls: { views } }: NodeCore, task: PoolOverheadTask): Promise<void> {
  return new Promise((resolve, reject) => {
    let begun = 0;
    let answered = 0;
    const next = (): void => {
      begun++;
      views.ask(encodedCall(task), take, reject);
    };
    const take = (): void => {
      if (++answered === CALLS) resolve();
      else if (begun < CALLS) next();
    };
    for (let i = 0; i < task.inFlight; i++) next();
  });
}

async function inThisThread(
  { base: { store }, chainState: { chain } }: NodeCore,
  task: PoolOverheadTask,
  maxCallGas: number,
): Promise<() => Promise<void>> {
  const tip = Number(chain.tip.header.height);
  const run = await serveTasks({
    native: 'auto',
    store: store.handle,
    calls: {
      maxCallGas,
      maxPipelineSteps: 100,
      maxBundleTransactions: 100,
      changes: ChangeTable.create(tip).shared,
      progress: createProgressMemory(1),
    },
  });
  const call = encodedCall(task);
  const batch = encodeBatch(
    { task: 0, tipHeight: tip, finalizedHeight: Number(chain.finalizedHeight), nowMs: 0 },
    Array.from({ length: BATCH }, () => call),
  );
  return async () => {
    for (let calls = 0; calls < CALLS; calls += BATCH) {
      const outcome = await run({ kind: 'calls', input: batch });
      if (!outcome.ok) throw new Error('a task failed', { cause: outcome });
    }
  };
}

async function alone({ contract, code, init, input }: PoolOverheadTask): Promise<() => void> {
  const world = new VmWorld(createHostCrypto(await loadCrypto('auto'), await loadBls('auto')), LIMITS);
  const program = world.deploy(contract, code);
  const other = new Uint8Array(20);
  const frame = {
    contract,
    caller: other,
    origin: other,
    value: 0n,
    gas: 1_000_000_000n,
    isView: false,
    depth: 0,
  };
  const made = world.engine.call(program, { ...frame, purpose: 'deploy', input: init }, world);
  if (made.status !== 'success') throw new Error(`init: ${made.status}`);
  const view = { ...frame, purpose: 'call', input } as const;
  return () => {
    for (let calls = 0; calls < CALLS; calls++) world.engine.call(program, view, world);
  };
}

if (!isMainThread) parentPort?.postMessage(await measure(workerData));
