import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import type { ContractMachine } from '../contract-machine.js';
import { WorldState } from '../world-state.js';
import type { BatchHead } from './batched-calls.js';
import type { CallGas } from './call-gas.js';
import { resultJson } from './call-result.js';
import { applyOverrides, overriddenBlock } from './overrides.js';
import { runViewCall, runViewCallWithin, type ViewCall } from './run-view-call.js';
import type { StateInterfaces } from './state-interfaces.js';
import type { StateReferences } from './state-reference.js';

/** The parts of its thread that a call on a state uses. */
export interface StateCallParts {
  readonly machine: ContractMachine;
  readonly interfaces: StateInterfaces;
  readonly states: StateReferences;
  /** Limits a call, including the check and compilation of the code of its overrides. */
  readonly gas: CallGas;
}

/** Runs view calls in the current thread. */
export class ViewRunner {
  readonly #parts: StateCallParts;

  constructor(parts: StateCallParts) {
    this.#parts = parts;
  }

  /**
   * Answers a view call. Hot: guarded by `bench/view-call.bench.ts`.
   * @returns the JSON of the ViewCallResult
   * @throws CallError, JsonDecodeError, StateUnavailableError
   */
  answer(args: ViewCallArgs, head: BatchHead): string {
    const { gas, machine, interfaces } = this.#parts;
    const { overrides, block_override: blockOverride } = args;
    const gasLimit = gas.limitOf(args.gas_limit);
    const { source, block, env: seen } = this.#state(args, head);
    const state = new WorldState(source);
    const brought =
      overrides === undefined
        ? undefined
        : applyOverrides(overrides, {
            state,
            machine,
            path: 'params',
            compile: (text, path) => interfaces.compile(text, path),
            maxGas: BigInt(gasLimit),
            gas,
          });
    const env = blockOverride === undefined ? seen : overriddenBlock(seen, blockOverride);
    const paid = brought === undefined ? gasLimit : gasLimit - Number(brought.gas);
    const abiOf = interfaces.lookupIn(state, brought?.interfaces);
    return resultJson(
      runViewCall(callOf(args, paid), { state, block, env, abiOf, interfaces, machine, gas }),
    );
  }

  /**
   * Answers a call without overrides like {@link answer}, with at most the given gas.
   * @returns undefined if it needs more, or if its result might depend on the gas limit
   * @throws CallError, JsonDecodeError, StateUnavailableError
   */
  answerWithin(maxGas: number, args: ViewCallArgs, head: BatchHead): string | undefined {
    const { gas, machine, interfaces } = this.#parts;
    const call = callOf(args, gas.limitOf(args.gas_limit));
    const { source, block, env } = this.#state(args, head);
    const state = new WorldState(source);
    const abiOf = interfaces.lookupIn(state);
    const context = { state, block, env, abiOf, interfaces, machine, gas };
    const ended = runViewCallWithin(maxGas, call, context);
    return ended === undefined ? undefined : resultJson(ended);
  }

  #state({ at }: ViewCallArgs, head: BatchHead) {
    const { states } = this.#parts;
    return at === undefined ? states.latest(head) : states.find(at, head);
  }
}

function callOf(args: ViewCallArgs, gasLimit: number): ViewCall {
  const { contract, caller, value = 0n, idl } = args;
  return { contract, caller, value, gasLimit, text: args, idl, path: 'params' };
}
