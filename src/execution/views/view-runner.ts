import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { toHex } from '../../idl/hex.js';
import type { ContractMachine } from '../contract-machine.js';
import { GasDependence } from '../gas-dependence.js';
import { WorldState } from '../world-state.js';
import type { BatchHead } from './batched-calls.js';
import { expectCallGas } from './call-gas.js';
import { resultJson } from './call-result.js';
import { applyOverrides, overriddenBlock } from './overrides.js';
import { runViewCall, type ViewCall } from './run-view-call.js';
import type { StateInterfaces } from './state-interfaces.js';
import type { StateReferences } from './state-reference.js';

const NO_INTERFACES: ReadonlyMap<string, ContractAbi> = new Map();

export interface ViewRunnerParts {
  readonly machine: ContractMachine;
  readonly interfaces: StateInterfaces;
  readonly states: StateReferences;
  readonly maxCallGas: number;
}

/** Runs view calls in the current thread. */
export class ViewRunner {
  readonly #parts: ViewRunnerParts;

  constructor(parts: ViewRunnerParts) {
    this.#parts = parts;
  }

  /**
   * Answers a view call. Hot: guarded by `bench/view-call.bench.ts`.
   * @returns the JSON of the ViewCallResult
   * @throws CallError, JsonDecodeError, StateUnavailableError
   */
  answer(args: ViewCallArgs, head: BatchHead): string {
    const { maxCallGas, machine, interfaces } = this.#parts;
    const { overrides, block_override: blockOverride, gas_limit: asked } = args;
    expectCallGas(asked, maxCallGas);
    const { source, block } = this.#state(args, head);
    const state = new WorldState(source);
    const gasLimit = asked === undefined ? maxCallGas : Number(asked);
    const brought =
      overrides === undefined
        ? undefined
        : applyOverrides(overrides, {
            state,
            machine,
            path: 'params',
            compile: (text, path) => interfaces.compile(text, path),
            maxGas: BigInt(gasLimit),
          });
    const given = brought?.interfaces ?? NO_INTERFACES;
    const env = blockOverride === undefined ? block.env : overriddenBlock(block.env, blockOverride);
    const paid = brought === undefined ? gasLimit : gasLimit - Number(brought.gas);
    const abiOf = this.#abisIn(state, given);
    return resultJson(
      runViewCall(callOf(args, paid), { state, block, env, abiOf, interfaces, machine, maxCallGas }),
    );
  }

  /**
   * Answers a call without overrides like {@link answer}, with at most the given gas.
   * @returns undefined if it needs more, or if its result might depend on the gas limit
   * @throws CallError, JsonDecodeError, StateUnavailableError
   */
  answerWithin(gas: number, args: ViewCallArgs, head: BatchHead): string | undefined {
    const { maxCallGas, machine, interfaces } = this.#parts;
    const { gas_limit: asked } = args;
    expectCallGas(asked, maxCallGas);
    const { source, block } = this.#state(args, head);
    const state = new WorldState(source);
    const isWhole = asked !== undefined && asked <= BigInt(gas);
    const gasDependence = isWhole ? undefined : new GasDependence();
    const ended = runViewCall(callOf(args, isWhole ? Number(asked) : gas), {
      state,
      block,
      env: block.env,
      abiOf: this.#abisIn(state, NO_INTERFACES),
      interfaces,
      machine,
      maxCallGas,
      ...(gasDependence === undefined ? {} : { gasDependence }),
    });
    if (gasDependence !== undefined && (gasDependence.isObserved || ended.outcome.status === 'out_of_gas'))
      return undefined;
    return resultJson(ended);
  }

  #state({ at }: ViewCallArgs, head: BatchHead) {
    const { states } = this.#parts;
    return at === undefined ? states.latest(head) : states.find(at, head);
  }

  #abisIn(
    state: WorldState,
    given: ReadonlyMap<string, ContractAbi>,
  ): (contract: Uint8Array) => ContractAbi | undefined {
    const { interfaces } = this.#parts;
    return (contract) => {
      const name = toHex(contract);
      const { contract: record } = state.account(name);
      return given.get(name) ?? (record === undefined ? undefined : interfaces.stored(record));
    };
  }
}

function callOf(args: ViewCallArgs, gasLimit: number): ViewCall {
  const { contract, caller, value = 0n, idl } = args;
  return { contract, caller, value, gasLimit, text: args, idl, path: 'params' };
}
