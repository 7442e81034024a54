/** Decodes inputs and outputs of contracts by their interfaces. Bytes that do not match stay undecoded. */
import type { LedgerLog } from '../generated/ledger.js';
import type { DecodedEvent, Revert } from '../generated/node-rpc-v1.js';
import { AbiError } from '../idl/abi/abi-context.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { BorshError, JsonEncodeError } from '../idl/codecs/codec-errors.js';
import type { JsonValue } from '../idl/json-value.js';

/** The decoded event of a log; undefined if the interface does not declare it. */
export function decodeEvent(
  abi: ContractAbi | undefined,
  { topics, data }: LedgerLog,
): DecodedEvent | undefined {
  return abi === undefined ? undefined : tryDecode(() => abi.decodeEvent(topics, data));
}

/** The decoded result of a successful call; undefined also if the function returns nothing. */
export function decodeOutput(
  abi: ContractAbi | undefined,
  input: Uint8Array,
  output: Uint8Array,
): JsonValue | undefined {
  const called = abi?.functionOf(input);
  if (called?.result === undefined) return undefined;
  return tryDecode(() => called.decodeResult(output));
}

/** Like {@link decodeEvent}, as JSON text. */
export function decodeEventToText(
  abi: ContractAbi | undefined,
  { topics, data }: LedgerLog,
): string | undefined {
  return abi === undefined ? undefined : tryDecode(() => abi.decodeEventToText(topics, data));
}

/**
 * Describes a revert: an error that one of the interfaces declares, or text if the data is text.
 * @param message the node's reason for the failure, if it has one
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

/** The data as text; empty unless it is UTF-8 without control characters other than line breaks and tabs. */
function textOf(data: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
    return /^[^\p{Cc}]*$/u.test(text.replaceAll(/[\n\t]/g, '')) ? text : '';
  } catch (error) {
    // The decoder throws TypeError for invalid UTF-8.
    if (error instanceof TypeError) return '';
    throw error;
  }
}

/** The result of `decode`; undefined if the bytes do not fit the interface. */
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
