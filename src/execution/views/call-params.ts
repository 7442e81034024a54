import type { NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';
import { rpcMethods } from '../../ledger/rpc-codecs.js';
import type { CallKind } from './batched-calls.js';

/**
 * The parameters of a call, from the text that its client sent. Hot: guarded by `bench/view-call.bench.ts`.
 * @param text JSON, as has been checked
 * @throws JsonDecodeError
 */
export function readParams<K extends CallKind>(kind: K, text: string): NodeRpcV1Methods[K]['params'] {
  return decodeParams(kind, JSON.parse(text));
}

/**
 * The same of what `JSON.parse` made of the text.
 * @throws JsonDecodeError
 */
export function decodeParams<K extends CallKind>(kind: K, value: unknown): NodeRpcV1Methods[K]['params'] {
  // What the method of that name is declared to take.
  return rpcMethods.get(kind)?.decodeParams(value) as NodeRpcV1Methods[K]['params'];
}
