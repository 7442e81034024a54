import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import type { TextOrBytes } from '../idl/codecs/text-json-writer.js';

export type MethodName = keyof NodeRpcV1Methods;

/** Options for a single call. */
export interface CallOptions {
  /** Timeout per attempt, in milliseconds, excluding any wait requested from the node. */
  readonly timeoutMs?: number;
  /** Aborts the call; its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
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
