import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import type { CallObserver } from '../../vm/engine.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { ContractMachine } from '../contract-machine.js';
import type { StateSource } from '../state-source.js';
import { WorldState } from '../world-state.js';
import type { BatchHead } from './batched-calls.js';
import type { CallGas } from './call-gas.js';
import { resultJson } from './call-result.js';
import { Overlay } from './overlay.js';
import { applyOverrides, overriddenBlock } from './overrides.js';
import { runViewCall, runViewCallWithin, type ViewCall, type ViewContext } from './run-view-call.js';
import type { StateInterfaces } from './state-interfaces.js';
import type { StateBlock, StateReferences } from './state-reference.js';

export interface StateCallParts {
  readonly machine: ContractMachine;
  readonly interfaces: StateInterfaces;
  readonly states: StateReferences;
  /** Limits a call, including the check and compilation of the code of its overrides. */
  readonly gas: CallGas;
}

/**
 * Returns the JSON of the ViewCallResult. Hot: guarded by `bench/view-call.bench.ts`.
 * @throws CallError, JsonDecodeError, StateUnavailableError
 */
export function answerViewCall(parts: StateCallParts, args: ViewCallArgs, head: BatchHead): string {
  const scene = openCall(parts, args, head);
  const context = viewContext(parts, scene, new WorldState(scene.before));
  return resultJson(runViewCall(viewCallOf(args, scene.gasLimit), context));
}

/**
 * Like {@link answerViewCall}, without overrides, with at most the given gas; undefined if the call needs more, or if
 * its result might depend on the gas limit.
 */
export function answerViewCallWithin(
  parts: StateCallParts,
  maxGas: number,
  args: ViewCallArgs,
  head: BatchHead,
): string | undefined {
  const scene = openCall(parts, args, head);
  const context = viewContext(parts, scene, new WorldState(scene.before));
  const ended = runViewCallWithin(maxGas, viewCallOf(args, scene.gasLimit), context);
  return ended === undefined ? undefined : resultJson(ended);
}

export interface CallScene {
  /** The state with the overrides, before the writes of the call. */
  readonly before: StateSource;
  readonly block: StateBlock;
  /** The block that the contract sees. */
  readonly env: BlockEnvironment;
  /** The call's gas limit, less the gas for its overrides. */
  readonly gasLimit: number;
  /** Interfaces that came with the overrides, by the contract's address. */
  readonly given?: ReadonlyMap<string, ContractAbi>;
}

/** Resolves the state that a call asks for and applies its overrides. @throws CallError, StateUnavailableError */
export function openCall(
  { machine, interfaces, states, gas }: StateCallParts,
  { at, overrides, block_override, gas_limit }: ViewCallArgs,
  head: BatchHead,
): CallScene {
  const gasLimit = gas.limitOf(gas_limit);
  const { source, block, env: seen } = at === undefined ? states.latest(head) : states.find(at, head);
  const env = block_override === undefined ? seen : overriddenBlock(seen, block_override);
  if (overrides === undefined) return { before: source, block, env, gasLimit };
  const state = new WorldState(source);
  const effects = applyOverrides(overrides, {
    state,
    machine,
    path: 'params',
    interfaces,
    maxGas: BigInt(gasLimit),
    gas,
  });
  const before = new Overlay(source);
  before.absorb(state);
  return { before, block, env, gasLimit: gasLimit - Number(effects.gas), given: effects.interfaces };
}

/** @param state built on the scene's, private to the call */
export function viewContext(
  { machine, interfaces, gas }: StateCallParts,
  { block, env, given }: CallScene,
  state: WorldState,
  observer?: CallObserver,
): ViewContext {
  const abiOf = interfaces.lookupIn(state, given);
  return { state, block, env, abiOf, interfaces, machine, gas, observer };
}

export function viewCallOf(args: ViewCallArgs, gasLimit: number, path = 'params'): ViewCall {
  const { contract, caller, value = 0n, idl } = args;
  return { contract, caller, value, gasLimit, text: args, idl, path };
}
