import { readSharedText } from '../../base/shared-text.js';
import type { Crypto } from '../../crypto/crypto.js';
import { BlockReader } from '../../ledger/block-store.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import type { StoreReader } from '../../storage/store.js';
import { BalanceOverflowError } from '../balance-overflow-error.js';
import type { ContractMachine } from '../contract-machine.js';
import { answerSimulation } from '../simulation/answer-simulation.js';
import { Simulator } from '../simulation/simulator.js';
import type { AttachedWriteLog } from '../tracing/replay-messages.js';
import { Tracer } from '../tracing/tracer.js';
import type { BatchHead, CallKind } from '../views/batched-calls.js';
import { type CallError, invalidParams } from '../views/call-error.js';
import { CallGas } from '../views/call-gas.js';
import { readParams } from '../views/call-params.js';
import { ChangeTable } from '../views/change-table.js';
import { StateCache } from '../views/state-cache.js';
import { StateInterfaces } from '../views/state-interfaces.js';
import { StateReferences } from '../views/state-reference.js';
import { answerViewCall, type StateCallParts } from '../views/view-runner.js';
import type { CallResult, GroupRunner } from './run-group.js';
import { TextGas } from './work-gas.js';
import type { CallSetup, WorkerCall } from './worker-call.js';

const DEFAULT_MAX_TRACE_BYTES = 16 * 1024 * 1024;

export interface CallRunnerParts {
  readonly store: StoreReader;
  readonly crypto: Crypto;
  readonly interfaces: ContractInterfaces;
  readonly machine: ContractMachine;
}

/** Answers view calls, simulations, traces and replays in a worker. One per thread. */
export class CallRunner implements GroupRunner {
  readonly #gas: CallGas;
  readonly #texts: TextGas;
  readonly #views: StateCallParts;
  readonly #simulator: Simulator;
  readonly #tracer: Tracer;

  constructor(setup: Omit<CallSetup, 'progress'>, parts: CallRunnerParts) {
    const { store, crypto, machine } = parts;
    const interfaces = new StateInterfaces(parts.interfaces);
    const cache = new StateCache({ store, crypto, changes: ChangeTable.attach(setup.changes) });
    const states = new StateReferences({ store, crypto, machine, cache });
    this.#gas = new CallGas(setup.maxCallGas);
    this.#texts = new TextGas(parts.interfaces);
    const shared = { ...setup, store, crypto, machine, interfaces, states, gas: this.#gas };
    this.#views = shared;
    this.#simulator = new Simulator(shared);
    this.#tracer = new Tracer({
      ...shared,
      simulator: this.#simulator,
      blocks: new BlockReader(store),
      chainInterfaces: parts.interfaces,
      maxTraceBytes: setup.maxTraceBytes ?? DEFAULT_MAX_TRACE_BYTES,
    });
  }

  answer(call: WorkerCall, head: BatchHead): CallResult {
    if (call.kind === 'read') throw new Error('a worker for calls received a read');
    this.#gas.begin();
    this.#texts.begin();
    if (call.kind === 'replay') return this.#tracer.replay(call.request, head, call.writeLog);
    this.#gas.begin(call.maxGas);
    try {
      return { json: this.#answer(call.kind, readSharedText(call.params), head, call.writeLog) };
    } catch (error) {
      if (!(error instanceof BalanceOverflowError)) throw error;
      // Nobody knows what the stopped execution has used.
      this.#gas.use(BigInt(this.#gas.limit));
      throw excessiveBalance(error);
    }
  }

  gasUsed(): bigint {
    return this.#gas.used + this.#texts.used;
  }

  #answer(kind: CallKind, params: string, head: BatchHead, writeLog: AttachedWriteLog | undefined): string {
    switch (kind) {
      case 'view_call':
        return answerViewCall(this.#views, readParams(kind, params), head);
      case 'chain_traceCall':
      case 'chain_traceTransaction':
      case 'tx_simulate_trace':
        return this.#tracer.answer(kind, params, head, writeLog);
      default:
        return answerSimulation(this.#simulator, kind, params, head);
    }
  }
}

function excessiveBalance({ balance }: BalanceOverflowError): CallError {
  const expected = 'balances that together stay below 2^128';
  return invalidParams('params.overrides', expected, `an account balance of ${balance}`);
}
