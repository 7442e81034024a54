import { defined } from '../../base/defined.js';
import type { ContractRecord } from '../../generated/ledger.js';
import type { BlockOverride, StateOverride } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { utf8Length } from '../../idl/codecs/json-writer.js';
import { toHex } from '../../idl/hex.js';
import { codeGas, GAS } from '../../ledger/gas.js';
import { CodeRefused } from '../../vm/errors.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { ContractMachine } from '../contract-machine.js';
import type { WorldState } from '../world-state.js';
import { CallError, invalidParams } from './call-error.js';
import type { CallGas } from './call-gas.js';
import type { StateInterfaces } from './state-interfaces.js';

const ZERO_ADDRESS = new Uint8Array(20);
/** Maximum size of a slot value that a contract can write. */
const MAX_SLOT_VALUE_BYTES = 16 * 1024;

/** The effects of overrides other than on the state. */
export interface OverrideEffects {
  /** Interfaces given by the overrides, by the contract's address. */
  readonly interfaces: ReadonlyMap<string, ContractAbi>;
  /** Gas for checking and compiling the given code and interfaces. */
  readonly gas: bigint;
}

export interface OverrideContext {
  /** A state private to the call. */
  readonly state: WorldState;
  readonly machine: ContractMachine;
  /** Path of the object that contains the overrides, for errors: `params`. */
  readonly path: string;
  readonly interfaces: StateInterfaces;
  readonly maxGas: bigint;
  readonly gas: CallGas;
}

/**
 * Applies a call's overrides to its state. Code and interfaces cost the same as in a deployment, charged before they
 * are read. @throws CallError if an override could not occur on the chain, or code costs too much
 */
export function applyOverrides(
  overrides: readonly StateOverride[],
  context: OverrideContext,
): OverrideEffects {
  const { state, path: at, maxGas } = context;
  let gas = 0n;
  /** @returns the remaining gas */
  const charge = (more: bigint): bigint => {
    gas += more;
    if (gas > maxGas) throw tooExpensive(gas, maxGas);
    context.gas.use(more);
    return maxGas - gas;
  };
  const interfaces = new Map<string, ContractAbi>();
  const places = new Map<string, number>();
  for (const [index, override] of overrides.entries()) {
    const path = `${at}.overrides[${index}]`;
    const { address, balance, code, idl, slots } = override;
    const name = toHex(address);
    const earlier = places.get(name);
    if (earlier !== undefined) {
      throw invalidParams(`${path}.address`, 'one entry for each address', `that of entry ${earlier} again`);
    }
    places.set(name, index);
    if (balance !== undefined) state.writeAccount(name, { ...state.account(name), balance });
    if (code !== undefined) overrideCode(name, code, { ...context, path: `${path}.code` }, charge);
    if (idl !== undefined) {
      charge(GAS.idl_byte * BigInt(utf8Length(idl)));
      interfaces.set(name, context.interfaces.compile(idl, `${path}.idl`));
    }
    for (const [place, { slot, value }] of (slots ?? []).entries()) {
      if (value !== undefined && value.length > MAX_SLOT_VALUE_BYTES) {
        const expected = `at most ${MAX_SLOT_VALUE_BYTES} bytes`;
        throw invalidParams(`${path}.slots[${place}].value`, expected, `${value.length} bytes`);
      }
      state.writeSlot(address, slot, value);
    }
  }
  return { interfaces, gas };
}

function overrideCode(
  name: string,
  code: Uint8Array,
  { state, machine, path }: OverrideContext,
  charge: (gas: bigint) => bigint,
): void {
  const account = state.account(name);
  const before = account.contract ?? NEW_CONTRACT;
  const origin = account.contract === undefined ? 'given' : 'returned';
  const admitted = machine.admit({ vm: before.vm.type, code, origin }, charge(codeGas({ code })));
  if (admitted instanceof CodeRefused) {
    throw invalidParams(path, 'code that may be deployed', `a module that is refused: ${admitted.message}`);
  }
  charge(admitted.gas);
  if (!('program' in admitted)) throw new TypeError(`${path}: code that was paid for was not made`);
  state.addCode({ hash: admitted.hash, bytes: code });
  const contract: ContractRecord = { ...before, code_hash: admitted.hash, code_size: code.length };
  state.writeAccount(name, { ...account, contract });
}

const NEW_CONTRACT = {
  vm: { type: 'wasm' },
  abi_version: 0,
  upgrade_policy: { type: 'immutable' },
  deployer: ZERO_ADDRESS,
  deployed_at: 0n,
} as const;

export function overriddenBlock(
  env: BlockEnvironment,
  { height, timestamp_ms, base_fee }: BlockOverride,
): BlockEnvironment {
  return { ...env, ...defined({ height, timestampMs: timestamp_ms, baseFee: base_fee }) };
}

function tooExpensive(gas: bigint, maxGas: bigint): CallError {
  const [limit, given] = [Number(maxGas), Number(gas)];
  return new CallError({ code: 'limit_exceeded', subject: 'call_gas', limit, given });
}
