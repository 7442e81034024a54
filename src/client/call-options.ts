import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import type { TextOrBytes } from '../idl/codecs/text-json-writer.js';

export type MethodName = keyof NodeRpcV1Methods;

/** Options of what its caller may abort. */
export interface Abortable {
  /** Rejects the promise with its reason. */
  readonly signal?: AbortSignal;
}

/** Options for a single call. */
export interface CallOptions extends Abortable {
  /** Timeout per attempt, in milliseconds, excluding any wait requested from the node. */
  readonly timeoutMs?: number;
  /** Called with each failure that is followed by a retry. */
  readonly onRetry?: (error: unknown) => void;
}

/** Options of a call that only its signal ends early. */
export function callOptions(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}

/** Calls methods of the node. */
export interface MethodCaller {
  call<M extends MethodName>(
    method: M,
    params: TextOrBytes<NodeRpcV1Methods[M]['params']>,
    options?: CallOptions,
  ): Promise<NodeRpcV1Methods[M]['result']>;
}
