import type { NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';
import { rpcMethods } from '../../ledger/rpc-codecs.js';
import type { CallKind } from './batched-calls.js';

/**
 * Decodes the parameters of a call from valid JSON. Hot: guarded by `bench/view-call.bench.ts`.
 * @throws JsonDecodeError
 */
export function readParams<K extends CallKind>(kind: K, text: string): NodeRpcV1Methods[K]['params'] {
  return decodeParams(kind, JSON.parse(text));
}

/** Decodes the parameters of a call from parsed JSON. @throws JsonDecodeError */
export function decodeParams<K extends CallKind>(kind: K, value: unknown): NodeRpcV1Methods[K]['params'] {
  // The decoder returns the parameters that the method of that name declares.
  return rpcMethods.get(kind)?.decodeParams(value) as NodeRpcV1Methods[K]['params'];
}
