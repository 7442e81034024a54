import { BorshError, describe, JsonDecodeError, JsonEncodeError } from '../idl/codecs/codec-errors.js';
import { ClientError } from './client-error.js';

/** Options of the client that are whole numbers of any size. */
const BIGINTS = [
  ...['amount', 'value', 'gasLimit', 'maxFee', 'priorityFee', 'maxSealFee'],
  ...['nonce', 'validUntil', 'opensAt', 'maxHeight', 'fromHeight'],
] as const;

/**
 * Encodes values of the caller.
 * @param where what the values are for, in front of the message; empty if their path says it
 * @throws ClientError `bad_argument` naming the value that does not have its type
 */
export function encoded<T>(where: string, encode: () => T): T {
  try {
    return encode();
  } catch (error) {
    if (!isWrongValue(error)) throw error;
    throw new ClientError('bad_argument', `${where === '' ? '' : `${where}: `}${error.message}`, {
      cause: error,
    });
  }
}

/**
 * Decodes a value from the node.
 * @param where what the value is, in front of the message
 * @throws ClientError `bad_answer` naming the member that does not have its type
 */
export function decoded<T>(where: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!isWrongValue(error)) throw error;
    throw new ClientError('bad_answer', `${where}: ${error.message}`, { cause: error });
  }
}

function isWrongValue(error: unknown): error is Error {
  const kinds = [BorshError, JsonEncodeError, JsonDecodeError];
  return kinds.some((kind) => error instanceof kind);
}

/** Checks those of the options that are bigints. @throws ClientError `bad_argument` */
export function checkBigints(options: object): void {
  const given = options as { readonly [name: string]: unknown };
  for (const name of BIGINTS) {
    const value = given[name];
    if (value === undefined || (typeof value === 'bigint' && value >= 0n)) continue;
    throw new ClientError('bad_argument', `${name}: expected a bigint, such as 5n, got ${describe(value)}`);
  }
}

/** A time or a time span of the caller in milliseconds, as a bigint. @throws ClientError `bad_argument` */
export function milliseconds(value: number, name: string): bigint {
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  const reason = `${name}: expected a whole number of milliseconds, got ${describe(value)}`;
  throw new ClientError('bad_argument', reason);
}
