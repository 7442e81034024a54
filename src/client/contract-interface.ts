import { sha256 } from '@noble/hashes/sha2.js';
import { AbiError } from '../idl/abi/abi-context.js';
import { type ContractAbi, compileContract } from '../idl/abi/contract-abi.js';
import type { FunctionAbi } from '../idl/abi/function-abi.js';
import { compileIdl } from '../idl/compiler/compile.js';
import { IdlError } from '../idl/compiler/diagnostics.js';
import { toPrefixedHex } from '../idl/hex.js';
import type { JsonValue } from '../idl/json-value.js';
import { encoded } from './checked-arguments.js';
import { ClientError } from './client-error.js';

/**
 * An argument of a contract function: a JSON value as defined by the IDL. Amounts may also be bigints; addresses,
 * hashes and bytes may also be `Uint8Array`s.
 */
export type ContractArgument =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly ContractArgument[]
  | { readonly [member: string]: ContractArgument };

/** Arguments by name, or a list in positional order. */
export type ContractArguments = readonly ContractArgument[] | { readonly [name: string]: ContractArgument };

/** @throws ClientError `bad_interface` if the text is not an interface of exactly one contract */
export function parseInterface(text: string): ContractAbi {
  try {
    return compileContract(compileIdl([{ name: 'contract.idl', text }]).manifest, sha256);
  } catch (error) {
    if (!(error instanceof IdlError) && !(error instanceof AbiError)) throw error;
    throw new ClientError('bad_interface', error.message, { cause: error });
  }
}

/** Encodes the input of a call. @throws ClientError `bad_argument` naming the invalid function or argument */
export function encodeCall(abi: ContractAbi, name: string, args: ContractArguments | undefined): Uint8Array {
  const values = args === undefined ? undefined : toJsonValue(args);
  return encodedFor(abi, name, (called) => called.encodeCall(called.withWholeVariants(values)));
}

/** @throws ClientError `bad_argument` naming the invalid function or argument */
export function encodedFor(
  abi: ContractAbi,
  name: string,
  encode: (called: FunctionAbi) => Uint8Array,
): Uint8Array {
  try {
    return encoded(`${abi.name}.${name}`, () => encode(abi.function(name)));
  } catch (error) {
    // Its message names contract and function.
    if (!(error instanceof AbiError)) throw error;
    throw new ClientError('bad_argument', error.message, { cause: error });
  }
}

/** Converts an argument to its JSON form. */
export function toJsonValue(value: ContractArgument): JsonValue {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : `${value}`;
  }
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null;
  if (value instanceof Uint8Array) return toPrefixedHex(value);
  if (isList(value)) return value.map(toJsonValue);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJsonValue(member)]));
}

export function isList(value: ContractArgument): value is readonly ContractArgument[] {
  return Array.isArray(value);
}
