import { AbiError } from '../../idl/abi/abi-context.js';
import { BorshError, JsonEncodeError } from '../../idl/codecs/codec-errors.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { ContractFunctionDefinition } from '../../idl/manifest.js';
import type { CompiledInterface } from '../interface/contract-interface.js';
import type { Shape } from '../parts/json-shape.js';

/** Decodes the output of a function; undefined if it does not match the interface, because contracts may deviate. */
export function decodeResult(
  { abi }: CompiledInterface,
  name: string,
  output: Uint8Array,
): JsonValue | undefined {
  try {
    return abi.function(name).decodeResult(output);
  } catch (error) {
    if (error instanceof BorshError || error instanceof AbiError || error instanceof JsonEncodeError) {
      return undefined;
    }
    throw error;
  }
}

/** The type of a function's result; undefined if it has none. */
export function resultShape(
  { types }: CompiledInterface,
  { returns }: ContractFunctionDefinition,
): Shape | undefined {
  return returns === undefined ? undefined : { types, type: returns };
}
