import { sameBytes } from '../../base/same-bytes.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { addressName } from '../../ledger/address-names.js';
import { type CallSpec, callInput } from '../../ledger/call-input.js';
import type { CallObserver, CallOutcome } from '../../vm/engine.js';
import type { BlockEnvironment } from '../block-environment.js';
import { ContractHost } from '../contract-host.js';
import type { ContractMachine } from '../contract-machine.js';
import { GasWithheld } from '../gas-dependence.js';
import type { WorldState } from '../world-state.js';
import { noContractAt } from './call-error.js';
import type { CallGas } from './call-gas.js';
import type { EndedCall } from './call-result.js';
import type { StateInterfaces } from './state-interfaces.js';
import type { StateBlock } from './state-reference.js';

const NO_OUTPUT = new Uint8Array(0);
const ZERO_ADDRESS = new Uint8Array(20);

export interface ViewCall {
  readonly contract: Uint8Array;
  readonly caller: Uint8Array | undefined;
  readonly value: bigint;
  readonly gasLimit: number;
  readonly text: CallSpec;
  /** Text of the interface to use instead of the one on the chain. */
  readonly idl: string | undefined;
  /** Path of the call's arguments, for errors. */
  readonly path: string;
}

export interface ViewContext {
  /** Private to this call, which writes to it. */
  readonly state: WorldState;
  readonly block: StateBlock;
  /** The block that the contract sees. */
  readonly env: BlockEnvironment;
  readonly abiOf: (contract: Uint8Array) => ContractAbi | undefined;
  readonly interfaces: StateInterfaces;
  readonly machine: ContractMachine;
  readonly gas: CallGas;
  readonly observer?: CallObserver | undefined;
}

/** Runs it with at most the given gas; undefined if it needs more, or might depend on its gas limit. */
export function runViewCallWithin(maxGas: number, call: ViewCall, scene: ViewContext): EndedCall | undefined {
  try {
    return runViewCall(call, scene, Math.max(0, call.gasLimit - maxGas));
  } catch (error) {
    if (error instanceof GasWithheld) return undefined;
    throw error;
  }
}

/**
 * Runs one view call. Hot: guarded by `bench/view-call.bench.ts`.
 * @param withheldGas part of the gas limit that it may not use
 * @throws CallError, JsonDecodeError, GasWithheld
 */
export function runViewCall(call: ViewCall, scene: ViewContext, withheldGas = 0): EndedCall {
  const { contract, path } = call;
  const { state, block, abiOf } = scene;
  const name = addressName(contract);
  if (state.account(name).contract === undefined) throw noContractAt(name, path);
  const own = call.idl === undefined ? undefined : scene.interfaces.compile(call.idl, `${path}.idl`);
  const abi = own ?? abiOf(contract);
  const abiOfAny =
    own === undefined
      ? abiOf
      : (address: Uint8Array) => (sameBytes(address, contract) ? own : abiOf(address));
  const input = callInput(call.text, () => abi, path);
  const caller = call.caller ?? ZERO_ADDRESS;
  const { env, machine, gas, observer } = scene;
  const host = new ContractHost({ state, env, machine, observer });
  const outcome = host.call({
    purpose: 'call',
    contract,
    caller,
    origin: caller,
    value: call.value,
    input,
    gas: BigInt(call.gasLimit - withheldGas),
    withheldGas: BigInt(withheldGas),
    isView: false,
    depth: 0,
  });
  const { logs } = state;
  if (outcome === undefined) {
    const { balance } = state.account(addressName(caller));
    const refusal = `insufficient balance: ${call.value} to be sent, the caller has ${balance}`;
    return { outcome: REFUSED, refusal, block, logs, input, abi, raisedBy: undefined, abiOf: abiOfAny };
  }
  gas.use(outcome.gasUsed);
  const raisedBy = outcome.status === 'reverted' ? host.raiserOf(outcome.output) : undefined;
  return { outcome, block, logs, input, abi, raisedBy, abiOf: abiOfAny };
}

/** The outcome of a call whose caller cannot send its value. */
const REFUSED: CallOutcome = { status: 'reverted', gasUsed: 0n, output: NO_OUTPUT, trap: undefined };
