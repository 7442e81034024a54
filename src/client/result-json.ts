import type { NodeRpcV1Types } from '../generated/node-rpc-v1.js';
import { JsonEncodeError } from '../idl/codecs/codec-errors.js';
import type { JsonValue } from '../idl/json-value.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { ClientError } from './client-error.js';

/**
 * Converts a result, or a part of one, to the JSON value that the node sends: bytes as hex text, and integers that a
 * number cannot hold exactly as decimal text.
 * @param type name of the value's type in the IDL, such as `Receipt`, `Status` or `Log`
 * @throws ClientError `bad_argument` for an unknown type, and for a value that does not have it
 *
 * @example
 * const { receipt } = await alice.transfer({ to: bob.address, amount: 5n, wait: 'included' });
 * JSON.stringify(toJson('Receipt', receipt)).includes(formatHash(receipt.tx_hash)); // true
 */
export function toJson<T extends keyof NodeRpcV1Types>(type: T, value: NodeRpcV1Types[T]): JsonValue {
  if (!Object.hasOwn(rpcTypes, type)) {
    throw new ClientError('bad_argument', `the interface has no type ${JSON.stringify(type)}`);
  }
  try {
    return JSON.parse(rpcTypes[type].toJson(value));
  } catch (error) {
    if (!(error instanceof JsonEncodeError)) throw error;
    throw new ClientError('bad_argument', error.message, { cause: error });
  }
}
