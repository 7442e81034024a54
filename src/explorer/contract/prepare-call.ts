import { ampleLimits } from '../../client/ample-limits.js';
import { ClientError, parseAddress, parseAmount } from '../../client/client.js';
import type { Action } from '../../generated/ledger.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import type { ContractFunctionDefinition } from '../../idl/manifest.js';
import { defaultGasLimit } from '../../ledger/gas.js';
import type { CompiledInterface } from '../interface/contract-interface.js';
import type { EnteredLine, Mistake } from '../parts/mistake.js';
import { shortName } from '../text/untrusted.js';
import type { Draft } from './draft.js';
import { argumentsValue, DraftError } from './draft-value.js';

export type Prepared<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mistake: Mistake };

/** Encodes a call's input from the fields of its form; the contract's codec checks every value. */
export function prepareInput(
  { abi, types }: CompiledInterface,
  { name, params }: ContractFunctionDefinition,
  drafts: readonly Draft[],
): Prepared<Uint8Array> {
  try {
    const args = argumentsValue(types, params, drafts);
    return { ok: true, value: abi.function(name).encodeCall(args) };
  } catch (error) {
    if (error instanceof DraftError) return mistakeAt(error.path, error.message);
    if (error instanceof JsonDecodeError) {
      return mistakeAt(error.path, `Expected ${error.expected}, got ${error.got}.`);
    }
    throw error;
  }
}

/** Reads an amount of native balance; empty means 0. */
export function prepareAmount(line: EnteredLine): Prepared<bigint> {
  return checked(line, (text) => (text.trim() === '' ? 0n : parseAmount(text)));
}

/** Reads an amount of gas or a price; empty means none. */
export function prepareOptional(line: EnteredLine): Prepared<bigint | undefined> {
  return checked(line, (text) => (text.trim() === '' ? undefined : parseAmount(text)));
}

/** Reads an address; empty means none. */
export function prepareAddress(line: EnteredLine): Prepared<Uint8Array | undefined> {
  return checked(line, (text) => (text.trim() === '' ? undefined : parseAddress(text.trim())));
}

/** Reads a block height; empty means the latest block. */
export function prepareHeight({ value, path }: EnteredLine): Prepared<bigint | undefined> {
  const digits = value.trim().replace(/[,_]/g, '');
  if (digits === '') return { ok: true, value: undefined };
  if (/^\d{1,20}$/.test(digits)) return { ok: true, value: BigInt(digits) };
  return mistakeAt(path, 'Enter a block height, or nothing for the latest block.');
}

function checked<T>({ value, path }: EnteredLine, read: (text: string) => T): Prepared<T> {
  try {
    return { ok: true, value: read(value) };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return mistakeAt(path, error.message);
  }
}

export function mistakeAt(path: string, message: string): Prepared<never> {
  return { ok: false, mistake: { path, message: shortName(message, 300) } };
}

/**
 * A gas limit for a call that needs `estimate` now: the client's default, or more if the call may need more.
 * @param blockGas a block's gas limit, the highest that the node takes; undefined if it is not known
 */
export function gasLimitFor(action: Action, estimate: bigint, blockGas: bigint | undefined): bigint {
  const usual = defaultGasLimit(action);
  const [ample = estimate] = ampleLimits([estimate], blockGas);
  if (ample <= usual) return usual;
  return ample;
}
