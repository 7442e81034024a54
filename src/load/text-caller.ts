import { LimitedTransport } from '../client/limited-transport.js';
import type { RetryPolicy } from '../client/retry.js';
import { RpcCaller } from '../client/rpc-caller.js';
import type { Transport } from '../client/transport.js';
import { decodeResultTexts, type ResultText } from './result-text.js';

export interface TextCallerOptions {
  readonly retry: RetryPolicy;
  /** Calls under way at a time. */
  readonly concurrency: number;
  /** Most calls in one request. */
  readonly batch: number;
}

/** So many calls in one request are worth it; more make answers come in lumps. */
const USUAL_BATCH = 16;

/** A quarter of what is under way, so that the node has other requests to answer while one is read; at most 16. */
export function defaultBatchSize(concurrency: number): number {
  return Math.max(1, Math.min(USUAL_BATCH, Math.floor(concurrency / 4)));
}

/** Makes calls many at a time, several in a request, and brings their results as text. */
export function textCaller(
  transport: Transport,
  { retry, concurrency, batch }: TextCallerOptions,
): RpcCaller<ResultText> {
  return new RpcCaller({
    transport: new LimitedTransport(transport, concurrency),
    retry,
    batch: batch > 1,
    maxBatch: batch,
    random: Math.random,
    decode: decodeResultTexts,
    schedule: setImmediate,
    splits: true,
  });
}
