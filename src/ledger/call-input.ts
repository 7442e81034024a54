import { AbiError } from '../idl/abi/abi-context.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { describe, JsonDecodeError } from '../idl/codecs/codec-errors.js';
import type { JsonValue } from '../idl/json-value.js';

/** A call as written by a caller: either `input`, or a method name with arguments. */
export interface CallSpec {
  readonly method?: string;
  /** By name or by position. */
  readonly args?: JsonValue;
  readonly input?: Uint8Array;
}

/**
 * The input of a call, encoded by the contract's interface if the call is given by name.
 * @param abi called only if needed @param path of the call, for errors: `params.action.call`
 * @throws JsonDecodeError naming the invalid member
 */
export function callInput(
  { method, args, input }: CallSpec,
  abi: () => ContractAbi | undefined,
  path: string,
): Uint8Array {
  if (input !== undefined) {
    if (method === undefined && args === undefined) return input;
    throw new JsonDecodeError('wrong_value', path, 'either input or method with args', 'both');
  }
  if (method === undefined) {
    throw new JsonDecodeError('missing', path, 'either input or method with args', 'neither');
  }
  const known = abi();
  if (known === undefined) {
    throw new JsonDecodeError(
      'wrong_value',
      `${path}.method`,
      'input, or idl beside method, as the contract has no usable interface on chain',
      describe(method),
    );
  }
  try {
    return known.function(method).encodeCall(args);
  } catch (error) {
    if (error instanceof AbiError) {
      const names = [...known.functions.keys()].join(', ');
      throw new JsonDecodeError(
        'wrong_value',
        `${path}.method`,
        `a function of ${known.name} (${names})`,
        describe(method),
      );
    }
    if (error instanceof JsonDecodeError) {
      throw new JsonDecodeError(error.code, `${path}.${error.path}`, error.expected, error.got);
    }
    throw error;
  }
}
