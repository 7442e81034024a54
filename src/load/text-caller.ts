import { LimitedTransport } from '../client/limited-transport.js';
import type { RetryPolicy } from '../client/retry.js';
import { RpcCaller } from '../client/rpc-caller.js';
import type { Transport } from '../client/transport.js';
import { decodeResultTexts, type ResultText } from './result-text.js';

export interface TextCallerOptions {
  readonly retry: RetryPolicy;
  /** Maximum number of calls in flight. */
  readonly concurrency: number;
  /** Maximum number of calls per request. */
  readonly batch: number;
}

/** Default maximum batch size; larger batches make answers bursty. */
const USUAL_BATCH = 16;

/** A quarter of the calls in flight, so that the node always has requests to answer; at most 16. */
export function defaultBatchSize(concurrency: number): number {
  return Math.max(1, Math.min(USUAL_BATCH, Math.floor(concurrency / 4)));
}

/** Makes many calls concurrently in batches and returns their results as text. */
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
