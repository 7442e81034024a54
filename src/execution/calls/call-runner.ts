import type { Crypto } from '../../crypto/crypto.js';
import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { toHex } from '../../idl/hex.js';
import { BlockReader } from '../../ledger/block-store.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import type { StoreReader } from '../../storage/store.js';
import type { ContractMachine } from '../contract-machine.js';
import { answerSimulation } from '../simulation/answer-simulation.js';
import { Simulator } from '../simulation/simulator.js';
import type { AttachedWriteLog, ReplayBlockInput, ReplayBlockResult } from '../tracing/replay-messages.js';
import { Tracer } from '../tracing/tracer.js';
import type { BatchHead } from '../views/batched-calls.js';
import { expectCallGas } from '../views/call-gas.js';
import { readParams } from '../views/call-params.js';
import { resultJson } from '../views/call-result.js';
import { ChangeTable } from '../views/change-table.js';
import { applyOverrides, overriddenBlock } from '../views/overrides.js';
import { runViewCall, type ViewCall } from '../views/run-view-call.js';
import { StateCache } from '../views/state-cache.js';
import { StateInterfaces } from '../views/state-interfaces.js';
import { StateReferences } from '../views/state-reference.js';
import { WorldState } from '../world-state.js';
import type { EncodedCall } from './call-batch.js';
import type { CallSetup } from './call-tasks.js';
import { type BatchRunner, runBatch } from './run-batch.js';

const DEFAULT_MAX_TRACE_BYTES = 16 * 1024 * 1024;
const NO_INTERFACES: ReadonlyMap<string, ContractAbi> = new Map();

/** What of its thread a runner uses. */
export interface CallRunnerParts {
  readonly store: StoreReader;
  readonly crypto: Crypto;
  readonly interfaces: ContractInterfaces;
  readonly machine: ContractMachine;
}

/** Answers view calls, and everything else that comes in their batches, in a worker. One for each thread. */
export class CallRunner implements BatchRunner {
  readonly #machine: ContractMachine;
  readonly #progress: Int32Array;
  readonly #maxCallGas: number;
  readonly #interfaces: StateInterfaces;
  readonly #states: StateReferences;
  readonly #simulator: Simulator;
  readonly #tracer: Tracer;

  constructor(setup: CallSetup, parts: CallRunnerParts) {
    const { store, crypto, machine } = parts;
    this.#machine = machine;
    this.#progress = new Int32Array(setup.progress);
    this.#maxCallGas = setup.maxCallGas;
    this.#interfaces = new StateInterfaces(parts.interfaces);
    const cache = new StateCache({ store, crypto, changes: ChangeTable.attach(setup.changes) });
    this.#states = new StateReferences({ store, crypto, machine, cache });
    const shared = {
      crypto,
      machine,
      interfaces: this.#interfaces,
      states: this.#states,
      maxCallGas: setup.maxCallGas,
      maxPipelineSteps: setup.maxPipelineSteps,
      maxBundleTransactions: setup.maxBundleTransactions,
    };
    this.#simulator = new Simulator(shared);
    this.#tracer = new Tracer({
      ...shared,
      simulator: this.#simulator,
      blocks: new BlockReader(store),
      store,
      chainInterfaces: parts.interfaces,
      maxTraceBytes: setup.maxTraceBytes ?? DEFAULT_MAX_TRACE_BYTES,
    });
  }

  /**
   * @param batch in the encoding of `call-batch.ts`; the answer is in that of `call-answers.ts`
   * @param writeLogs of the blocks whose transactions are traced
   */
  run(batch: Uint8Array, writeLogs: readonly AttachedWriteLog[] = []): string {
    return runBatch(batch, this.#progress, (call, head) => this.#run(call, head, writeLogs));
  }

  /** Makes the next part of a block's write log. */
  replay(input: ReplayBlockInput): ReplayBlockResult {
    return this.#tracer.replay(input);
  }

  /** Hot: guarded by `bench/view-call.bench.ts`. */
  #view(args: ViewCallArgs, head: BatchHead): string {
    const { at, overrides, block_override: blockOverride, gas_limit: asked } = args;
    expectCallGas(asked, this.#maxCallGas);
    const { source, block } = at === undefined ? this.#states.latest(head) : this.#states.find(at, head);
    const state = new WorldState(source);
    const gasLimit = asked === undefined ? this.#maxCallGas : Number(asked);
    const brought =
      overrides === undefined
        ? undefined
        : applyOverrides(overrides, {
            state,
            machine: this.#machine,
            path: 'params',
            compile: (text, path) => this.#interfaces.given(text, path),
            maxGas: BigInt(gasLimit),
          });
    const given = brought?.interfaces ?? NO_INTERFACES;
    const env = blockOverride === undefined ? block.env : overriddenBlock(block.env, blockOverride);
    const call: ViewCall = {
      contract: args.contract,
      caller: args.caller,
      value: args.value ?? 0n,
      gasLimit: brought === undefined ? gasLimit : gasLimit - Number(brought.gas),
      text: args,
      idl: args.idl,
      path: 'params',
    };
    const ended = runViewCall(call, {
      state,
      block,
      env,
      abiOf: (contract) => {
        const name = toHex(contract);
        const { contract: record } = state.account(name);
        return given.get(name) ?? (record === undefined ? undefined : this.#interfaces.stored(record));
      },
      interfaces: this.#interfaces,
      machine: this.#machine,
      maxCallGas: this.#maxCallGas,
    });
    return resultJson(ended);
  }

  #run(call: EncodedCall, head: BatchHead, writeLogs: readonly AttachedWriteLog[]): string {
    if (call.kind === 'read') throw new Error('a read came to a worker for calls');
    const { kind, params } = call;
    switch (kind) {
      case 'view_call':
        return this.#view(readParams(kind, params), head);
      case 'chain_traceCall':
      case 'chain_traceTransaction':
      case 'tx_simulate_trace':
        return this.#tracer.answer(kind, params, head, writeLogs);
      default:
        return answerSimulation(this.#simulator, kind, params, head);
    }
  }
}
