import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import { nodeRpcV1Calls } from '../generated/node-rpc-v1-codecs.js';
import { CodecState } from '../idl/codecs/codec.js';
import { JsonDecodeError, JsonEncodeError } from '../idl/codecs/codec-errors.js';
import { ClientError } from './client-error.js';

/** Ignores unknown members, which newer nodes may add. */
const { jsonReader, jsonWriter } = new CodecState({ unknownMembers: 'ignore' });

type Params<M extends keyof NodeRpcV1Methods> = NodeRpcV1Methods[M]['params'];
type Result<M extends keyof NodeRpcV1Methods> = NodeRpcV1Methods[M]['result'];

/**
 * Encodes a method's parameters as JSON text.
 * @throws ClientError `bad_argument` naming the member with the wrong type
 */
export function encodeParams<M extends keyof NodeRpcV1Methods>(method: M, params: Params<M>): string {
  try {
    jsonWriter.begin();
    return calls(method).writeParams(jsonWriter, params, 'params');
  } catch (error) {
    if (!(error instanceof JsonEncodeError)) throw error;
    throw new ClientError('bad_argument', `${method}: ${error.message}`, { cause: error });
  }
}

/**
 * Decodes a method's result from parsed JSON.
 * @throws ClientError `bad_answer` naming the member with the wrong type
 */
export function decodeResult<M extends keyof NodeRpcV1Methods>(method: M, result: unknown): Result<M> {
  try {
    jsonReader.begin();
    return calls(method).readResult(jsonReader, result, 'result');
  } catch (error) {
    if (!(error instanceof JsonDecodeError)) throw error;
    throw new ClientError('bad_answer', `${method}: ${error.message}`, { cause: error });
  }
}

/**
 * True if a method may be repeated after a broken connection, when it is unknown if the first call arrived. That holds
 * for reads, and for submitting a signed transaction: the chain identifies it by its hash and includes it only once.
 */
export function isRepeatable(method: keyof NodeRpcV1Methods): boolean {
  return calls(method).isRepeatable;
}

function calls<M extends keyof NodeRpcV1Methods>(method: M): (typeof nodeRpcV1Calls)[M] {
  if (!Object.hasOwn(nodeRpcV1Calls, method)) {
    throw new ClientError('bad_argument', `the interface has no method ${method}`);
  }
  return nodeRpcV1Calls[method];
}
