import type { JsonValue } from '../../idl/json-value.js';
import { tryDecode } from '../../ledger/contract-decoding.js';
import type { CompiledInterface } from './contract-interface.js';

/** A call's input by the contract's interface. */
export interface DecodedCall {
  readonly method: string;
  readonly args: JsonValue;
}

/** Decodes the input of a call; undefined if it does not match the interface: its sender chose it. */
export function decodeCall({ abi }: CompiledInterface, input: Uint8Array): DecodedCall | undefined {
  const called = abi.functionOf(input);
  if (called === undefined) return undefined;
  return tryDecode(() => ({ method: called.name, args: called.decodeCall(input) }));
}
