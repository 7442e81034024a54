import { type NodeRpcV1Methods, nodeRpcV1Manifest } from '../generated/node-rpc-v1.js';
import { JsonDecodeError, JsonEncodeError } from '../idl/codecs/codec-errors.js';
import { compileInterface } from '../idl/codecs/interface-codecs.js';
import { ClientError } from './client-error.js';

/** Members that a newer node adds are no reason to fail. */
const CODECS = compileInterface(nodeRpcV1Manifest, 'NodeRpcV1', { unknownMembers: 'ignore' });

type Params<M extends keyof NodeRpcV1Methods> = NodeRpcV1Methods[M]['params'];
type Result<M extends keyof NodeRpcV1Methods> = NodeRpcV1Methods[M]['result'];

/**
 * A method's parameters as JSON text.
 * @throws ClientError `bad_argument` naming the member that is not of its type
 */
export function encodeParams<M extends keyof NodeRpcV1Methods>(method: M, params: Params<M>): string {
  try {
    return codec(method).encodeParams(params);
  } catch (error) {
    if (!(error instanceof JsonEncodeError)) throw error;
    throw new ClientError('bad_argument', `${method}: ${error.message}`, { cause: error });
  }
}

/**
 * A method's result from parsed JSON.
 * @throws ClientError `bad_answer` naming the member that is not of its type
 */
export function decodeResult<M extends keyof NodeRpcV1Methods>(method: M, result: unknown): Result<M> {
  try {
    // The manifest that the codec is compiled from is the one that the type is generated from.
    return codec(method).decodeResult(result) as Result<M>;
  } catch (error) {
    if (!(error instanceof JsonDecodeError)) throw error;
    throw new ClientError('bad_answer', `${method}: ${error.message}`, { cause: error });
  }
}

function codec(method: string) {
  const found = CODECS.get(method);
  if (found === undefined) throw new ClientError('bad_argument', `the interface has no method ${method}`);
  return found;
}
