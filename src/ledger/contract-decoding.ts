/**
 * What contracts take and give, in words where the interface is known. Bytes that do not fit the interface are no error:
 * they stay bytes.
 */
import type { DecodedEvent, Revert } from '../generated/node-rpc-v1.js';
import { AbiError } from '../idl/abi/abi-context.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { BorshError, JsonEncodeError } from '../idl/codecs/codec-errors.js';
import type { JsonValue } from '../idl/json-value.js';

/** The event that a log is, where it is one of the interface. */
export function decodeEvent(
  abi: ContractAbi | undefined,
  { topics, data }: { readonly topics: readonly Uint8Array[]; readonly data: Uint8Array },
): DecodedEvent | undefined {
  return abi === undefined ? undefined : tryDecode(() => abi.decodeEvent(topics, data));
}

/** The result of a successful call; undefined also where the function returns nothing. */
export function decodeOutput(
  abi: ContractAbi | undefined,
  input: Uint8Array,
  output: Uint8Array,
): JsonValue | undefined {
  const called = abi?.functionOf(input);
  if (called?.result === undefined) return undefined;
  return tryDecode(() => called.decodeResult(output));
}

/** The JSON text of {@link decodeEvent}. */
export function decodeEventToText(
  abi: ContractAbi | undefined,
  { topics, data }: { readonly topics: readonly Uint8Array[]; readonly data: Uint8Array },
): string | undefined {
  return abi === undefined ? undefined : tryDecode(() => abi.decodeEventToText(topics, data));
}

/**
 * What a contract reverted with: one of its own errors as `{"name", "args"}`, else text where the data is text.
 * @param abis the interfaces whose errors it may be, tried in order
 * @param message why it failed, where the node itself has something to say
 */
export function revertOf(abis: readonly ContractAbi[], data: Uint8Array, message = ''): Revert {
  for (const abi of abis) {
    const error = tryDecode(() => abi.decodeError(data));
    if (error !== undefined) {
      return { ...(message === '' ? {} : { message }), data, error: { name: error.name, args: error.args } };
    }
  }
  const words = [message, textOf(data)].filter((part) => part !== '').join(': ');
  return { ...(words === '' ? {} : { message: words }), data };
}

/** The data as text, or nothing where it is not UTF-8 or holds control characters other than line breaks and tabs. */
function textOf(data: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
    return /^[^\p{Cc}]*$/u.test(text.replaceAll(/[\n\t]/g, '')) ? text : '';
  } catch (error) {
    // What the decoder says of bytes that are no UTF-8.
    if (error instanceof TypeError) return '';
    throw error;
  }
}

/** Bytes that do not fit the interface are no error: they stay bytes. */
export function tryDecode<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof AbiError || error instanceof BorshError || error instanceof JsonEncodeError) {
      return undefined;
    }
    throw error;
  }
}
