import { workerData } from 'node:worker_threads';
import { setMaxAnswerBytes } from '../../base/answer-limit.js';
import type { NativeChoice } from '../../config/native-mode.js';
import type { Crypto } from '../../crypto/crypto.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { openReader } from '../../storage/open-store.js';
import type { StoreReader } from '../../storage/store.js';
import { StoreError } from '../../storage/store-error.js';
import { committedHashes } from '../block-environment.js';
import { DecodedWrites } from '../branch-state.js';
import { ReadRunner } from '../calls/read-runner.js';
import { type GroupRunner, runGroup } from '../calls/run-group.js';
import { ContractMachine } from '../contract-machine.js';
import { DecodedOverlay } from '../parallel/block-overlay.js';
import type { Task, TaskInput, TaskKind, TaskOutcome, WorkerSetup } from '../pool/execution-tasks.js';
import { NativeLoads } from '../pool/native-loads.js';
import { TASK_HANDLERS, type WorkerContext } from './task-handlers.js';

/**
 * Prepares a worker for tasks; if that fails, every task fails with the error.
 * @returns a function that runs one task and never rejects, so that a rejected task always means a lost worker
 */
export async function serveTasks(
  setup: WorkerSetup = workerData,
): Promise<(task: Task) => Promise<TaskOutcome>> {
  if (setup.maxAnswerBytes !== undefined) setMaxAnswerBytes(setup.maxAnswerBytes);
  const nativeLoads = new NativeLoads(setup.nativeLoads);
  const prepared = await attempt(async () => {
    const crypto = await nativeLoads.run(() => loadCrypto(setup.native));
    const store = lazyStore(setup, nativeLoads);
    const interfaces = lazy(() => new ContractInterfaces(store(), crypto));
    const bls = lazyBls(setup, nativeLoads);
    const machine = lazyMachine(setup, crypto, bls, store);
    const base = {
      crypto,
      bls,
      store,
      interfaces,
      machine,
      pending: new DecodedWrites(),
      overlay: new DecodedOverlay(),
    };
    return { ...base, groups: lazyGroups(setup, base) };
  });
  if (!prepared.ok) return async () => prepared;
  const { result: context } = prepared;
  return async (task) => attempt(async () => handle(task, context));
}

function handle<K extends TaskKind>(
  task: { readonly kind: K; readonly input: TaskInput<K> },
  context: WorkerContext,
) {
  return TASK_HANDLERS[task.kind](task.input, context);
}

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, result: await work() };
  } catch (error) {
    return { ok: false, error, ...(error instanceof StoreError ? { storeError: error.code } : {}) };
  }
}

type Attempt<T> = { readonly ok: true; readonly result: T } | Extract<TaskOutcome, { readonly ok: false }>;

/** Makes a value at its first use; again at the next one if that throws. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Most workers of a young node never read the store, so attaching is deferred to the first read. */
function lazyStore({ store }: WorkerSetup, loads: NativeLoads): () => StoreReader {
  return lazy(() => {
    if (store === undefined)
      throw new Error('a task needs the store, but the workers were started without one');
    return loads.runSync(() => openReader(store));
  });
}

/** Pairing libraries load slowly, so loading is deferred until something is signed or a contract runs. */
function lazyBls({ native }: WorkerSetup, loads: NativeLoads): WorkerContext['bls'] {
  return lazy(() =>
    loads.run(async () => {
      const choices: NativeChoice[] = [];
      const { loadBls } = await import('../../crypto/load-bls.js');
      const bls = await loadBls(native, (made) => choices.push(made));
      const [choice] = choices;
      if (choice === undefined) throw new Error('BLS was loaded without reporting its implementation');
      return { bls, choice };
    }),
  );
}

/** Most workers of a young node run no contract, so loading the engine is deferred until one does. */
function lazyMachine(
  { instances, codeBytes }: WorkerSetup,
  crypto: Crypto,
  bls: WorkerContext['bls'],
  store: () => StoreReader,
): () => Promise<ContractMachine> {
  return lazy(() =>
    Promise.all([import('../../vm/contract-engines.js'), bls()]).then(
      ([{ createContractEngines }, { bls: signatures }]) =>
        new ContractMachine({
          engines: createContractEngines(crypto, signatures, { instances, codeBytes }),
          crypto,
          prepared: (key) => store().get('prepared', key),
          committedHash: (height) => committedHashes(store())(height),
        }),
    ),
  );
}

function lazyGroups(setup: WorkerSetup, parts: RunnerParts): WorkerContext['groups'] {
  const { progress } = setup.reads ?? setup.calls ?? {};
  const counts = progress && new Int32Array(progress);
  // A rejected promise would be kept: a read that cannot open the store must not fail those after it.
  const runner = setup.reads === undefined ? lazyCalls(setup, parts) : lazyReads(parts);
  return async () => {
    if (counts === undefined) throw new Error('this worker runs no calls: it has no settings for them');
    const made = await runner();
    return (group) => runGroup(group, counts, made);
  };
}

type RunnerParts = Pick<WorkerContext, 'crypto' | 'store' | 'interfaces' | 'machine'>;

function lazyCalls(
  { calls }: WorkerSetup,
  { crypto, store, interfaces, machine }: RunnerParts,
): () => Promise<GroupRunner> {
  return lazy(async () => {
    if (calls === undefined) throw new Error('this worker runs no calls: it has no settings for them');
    const [{ CallRunner }, engine] = await Promise.all([import('../calls/call-runner.js'), machine()]);
    return new CallRunner(calls, { store: store(), crypto, interfaces: interfaces(), machine: engine });
  });
}

function lazyReads({ crypto, store, interfaces }: RunnerParts): () => GroupRunner {
  return lazy(() => new ReadRunner({ store: store(), crypto, interfaces: interfaces() }));
}
