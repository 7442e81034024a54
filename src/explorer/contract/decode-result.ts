import type { JsonValue } from '../../idl/json-value.js';
import type { ContractFunctionDefinition } from '../../idl/manifest.js';
import { tryDecode } from '../../ledger/contract-decoding.js';
import type { CompiledInterface } from '../interface/contract-interface.js';
import type { Shape } from '../parts/json-shape.js';

/** Decodes the output of a function; undefined if it does not match the interface, because contracts may deviate. */
export function decodeResult(
  { abi }: CompiledInterface,
  name: string,
  output: Uint8Array,
): JsonValue | undefined {
  return tryDecode(() => abi.function(name).decodeResult(output));
}

/** The type of a function's result; undefined if it has none. */
export function resultShape(
  { types }: CompiledInterface,
  { returns }: ContractFunctionDefinition,
): Shape | undefined {
  return returns === undefined ? undefined : { types, type: returns };
}
