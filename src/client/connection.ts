import { type HttpTransportOptions, httpTransport } from './http-transport.js';
import { decodeAnswers } from './json-rpc.js';
import { LimitedTransport } from './limited-transport.js';
import type { ClientParts } from './read-client.js';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.js';
import { RpcCaller } from './rpc-caller.js';
import type { Transport } from './transport.js';

/** Options for calls over any transport. */
export interface ClientOptions {
  /** Timeout per attempt of a call, in milliseconds; default 30,000. Any wait requested from the node is added. */
  readonly timeoutMs?: number;
  /** Retries of calls after temporary failures; `{ retries: 0 }` disables them. */
  readonly retry?: Partial<RetryPolicy>;
  /** Send calls made in one event loop tick as one JSON-RPC batch; default false. */
  readonly batch?: boolean;
  /** Maximum calls per batch; default 200, which is the node's default limit. */
  readonly maxBatch?: number;
  /** Maximum requests in flight; further ones are queued. Default 128, at least 1. */
  readonly maxConcurrent?: number;
}

/** Options for an HTTP connection and its calls. */
export interface ConnectOptions extends ClientOptions, HttpTransportOptions {}

/** Sends no request yet. @throws ClientError `bad_url` if the URL is not http or https */
export function connectionParts(target: string | Transport, options: ConnectOptions = {}): ClientParts {
  const { batch = false, maxBatch = 200, maxConcurrent = 128, timeoutMs = 30_000 } = options;
  const transport = typeof target === 'string' ? httpTransport(target, options) : target;
  const retry = { ...DEFAULT_RETRY, ...options.retry };
  const line = new LimitedTransport(transport, maxConcurrent);
  const shared = { transport: line, retry, maxBatch, random: Math.random, decode: decodeAnswers };
  const batching = new RpcCaller({ ...shared, batch: true });
  const caller = batch ? batching : new RpcCaller({ ...shared, batch });
  return { transport: line, caller, batching, timeoutMs, token: options.token };
}
