import type { Crypto } from '../../crypto/crypto.js';
import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { toHex } from '../../idl/hex.js';
import { AnswerTooLongError, wholeAnswer } from '../../ledger/answer-limit.js';
import { BlockReader } from '../../ledger/block-store.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { StateUnavailableError } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { EngineError } from '../../vm/errors.js';
import type { ContractMachine } from '../contract-machine.js';
import { answerSimulation } from '../simulation/answer-simulation.js';
import { Simulator } from '../simulation/simulator.js';
import type { AttachedWriteLog, ReplayBlockInput, ReplayBlockResult } from '../tracing/replay-messages.js';
import { Tracer } from '../tracing/tracer.js';
import type { BatchHead } from '../views/batched-calls.js';
import { CallError } from '../views/call-error.js';
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
import { encodeAnswers, faultLine, problemLine } from './call-answers.js';
import { BatchReader, type EncodedCall } from './call-batch.js';
import type { CallSetup } from './call-tasks.js';

/** A worker gives its thread up after this long, so that blocks and signatures get their turn between expensive calls. */
const SLICE_MS = 10;
/** It also does where its answers have this many characters. */
const SLICE_TEXT = 1024 * 1024;
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
export class CallRunner {
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
    const reader = new BatchReader(batch);
    const { head } = reader;
    const lines: string[] = [];
    const costs: number[] = [];
    let begun = performance.now();
    const end = begun + SLICE_MS;
    let length = 0;
    for (let call = reader.next(); call !== undefined; call = reader.next()) {
      Atomics.store(this.#progress, head.task, lines.length + 1);
      const line = this.#answer(call, head, writeLogs);
      lines.push(line);
      length += line.length;
      const now = performance.now();
      costs.push(now - begun);
      begun = now;
      if (now > end || length > SLICE_TEXT) break;
    }
    return encodeAnswers(lines, costs);
  }

  /** Makes the next part of a block's write log. */
  replay(input: ReplayBlockInput): ReplayBlockResult {
    return this.#tracer.replay(input);
  }

  #answer(call: EncodedCall, head: BatchHead, writeLogs: readonly AttachedWriteLog[]): string {
    try {
      return wholeAnswer(this.#run(call, head, writeLogs));
    } catch (error) {
      if (error instanceof CallError) return problemLine(error.problem);
      if (error instanceof AnswerTooLongError) {
        return problemLine({ code: 'limit_exceeded', subject: 'answer_bytes', limit: error.limit });
      }
      if (error instanceof JsonDecodeError) {
        const { path, expected, got } = error;
        return problemLine({ code: 'invalid_params', path, expected, got });
      }
      if (error instanceof StateUnavailableError) {
        const { height, oldest } = error;
        return problemLine({
          code: 'state_unavailable',
          height: Number(height),
          oldest: Number(oldest),
          newest: head.tipHeight,
        });
      }
      if (error instanceof EngineError && error.code === 'host_memory_exhausted') {
        return problemLine({ code: 'overloaded' });
      }
      return faultLine(error);
    }
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

  #run({ kind, params }: EncodedCall, head: BatchHead, writeLogs: readonly AttachedWriteLog[]): string {
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
