import { chunks, type PendingItem, TickBatch } from '../async/tick-batch.js';
import { ClientError } from './client-error.js';
import { badOutcome, encodeBatch, encodeCall, type WireCall, type WireOutcome } from './json-rpc.js';
import type { LimitedTransport } from './limited-transport.js';
import { type RetryPolicy, retryDelayMs, sleep } from './retry.js';
import { RpcCallError } from './rpc-call-error.js';
import { NeverSentError, type TransportAnswer } from './transport.js';

export interface RpcCallerOptions<Result = unknown> {
  /** Shared with the client's other callers. */
  readonly transport: LimitedTransport;
  readonly retry: RetryPolicy;
  /** Send calls made in one event loop tick as one JSON-RPC batch. */
  readonly batch: boolean;
  readonly maxBatch: number;
  /** Source of retry jitter; 0 ≤ value < 1. */
  readonly random: () => number;
  /** Decodes the responses to calls sent together, in their order. @throws ClientError `bad_answer` */
  readonly decode: (calls: readonly WireCall[], answer: TransportAnswer) => readonly WireOutcome<Result>[];
  /** Schedules work for the end of the event loop tick; default: a timer, which browsers support too. */
  readonly schedule?: (work: () => void) => void;
  /**
   * Retry in smaller batches the calls that may have failed because of their batch: those rejected with
   * `limit_exceeded`, which may be the batch's limit, and repeatable ones of a batch that timed out.
   */
  readonly splits?: boolean;
}

export interface RpcCall {
  readonly method: string;
  /** JSON text. */
  readonly params: string;
  /** Timeout per attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** True if the call is idempotent. */
  readonly repeatable: boolean;
  /** Called with each failure that is followed by a retry. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
  /** Keeps the call out of batches: its response may be slow, and a batch gets one response for all its calls. */
  readonly unbatched: boolean;
}

/** Maximum size of a batch, well below the node's default body limit. */
const MAX_BATCH_CHARACTERS = 1_000_000;

type AskedCall<Result> = PendingItem<RpcCall, WireOutcome<Result>>;

/** Makes JSON-RPC calls with retries and optional batching. */
export class RpcCaller<Result = unknown> {
  readonly #options: RpcCallerOptions<Result>;
  readonly #gathered: TickBatch<RpcCall, WireOutcome<Result>>;

  constructor(options: RpcCallerOptions<Result>) {
    this.#options = options;
    // Browsers have no setImmediate.
    const schedule = options.schedule ?? ((work) => void setTimeout(work, 0));
    this.#gathered = new TickBatch(() => this.#flush(), schedule);
  }

  /**
   * The call's result, as read by `decode`. Retries responses marked `retryable` and connection failures; the latter
   * only if the call is repeatable or cannot have arrived.
   * @throws RpcCallError, ClientError, or the signal's reason
   */
  async call(call: RpcCall): Promise<Result> {
    const { retry, random } = this.#options;
    for (let attempt = 0; ; attempt++) {
      let failure: unknown;
      try {
        const outcome = await this.#try(call);
        if (outcome.ok) return outcome.result;
        failure = outcome.error;
      } catch (error) {
        failure = error;
      }
      if (attempt >= retry.retries || !mayRepeat(call, failure)) throw failure;
      call.onRetry?.(failure);
      await sleep(retryDelayMs(retry, attempt, random(), failure), call.signal);
    }
  }

  async #try(call: RpcCall): Promise<WireOutcome<Result>> {
    if (this.#options.batch && !call.unbatched) return unlessAborted(call, () => this.#gathered.add(call));
    const [outcome] = await this.#options.transport.withLimit(() => this.#exchange([call], call.signal));
    return outcome ?? badOutcome(call, 'no answer');
  }

  #flush(): void {
    const asked = this.#gathered.take().filter(({ item }) => item.signal?.aborted !== true);
    for (const batch of batchesOf(asked, this.#options.maxBatch)) void this.#settle(batch);
  }

  /** Never rejects: errors reject the calls' promises. */
  async #settle(batch: readonly AskedCall<Result>[]): Promise<void> {
    const splits = this.#options.splits === true && batch.length > 1;
    let outcomes: readonly WireOutcome<Result>[];
    try {
      outcomes = await this.#options.transport.withLimit(() => this.#exchange(batch.map(({ item }) => item)));
    } catch (error) {
      const alone = splits && error instanceof ClientError && error.code === 'timeout';
      for (const one of batch) {
        if (alone && one.item.repeatable) void this.#settle([one]);
        else one.reject(error);
      }
      return;
    }
    const again: AskedCall<Result>[] = [];
    for (const [place, one] of batch.entries()) {
      const outcome = outcomes[place] ?? badOutcome(one.item, 'no answer');
      if (splits && isLimitExceeded(outcome)) again.push(one);
      else one.resolve(outcome);
    }
    // Each new batch is smaller than the last, so splitting terminates.
    const size = again.length < batch.length ? again.length : Math.ceil(again.length / 2);
    if (again.length > 0) for (const part of chunks(again, size)) void this.#settle(part);
  }

  /** Outcomes of calls sent together, in their order. @throws ClientError, or the signal's reason */
  async #exchange(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly WireOutcome<Result>[]> {
    const { transport, decode } = this.#options;
    const wires = calls.map(({ method, params }) => ({ id: transport.nextId(), method, params }));
    const [only] = wires;
    const message = wires.length === 1 && only !== undefined ? encodeCall(only) : encodeBatch(wires);
    const timeoutMs = Math.max(...calls.map((call) => call.timeoutMs));
    const answer = await transport.request(message, { timeoutMs, signal });
    try {
      return decode(wires, answer);
    } catch (cause) {
      if (answer.mayBeProxy !== true) throw cause;
      const reason = `${transport.endpoint}: ${answer.label ?? 'an answer'}, no node behind it answers`;
      throw new ClientError('unreachable', reason, { cause });
    }
  }
}

/** Splits calls into batches within the node's limits. */
function batchesOf<Result>(asked: readonly AskedCall<Result>[], maxBatch: number): AskedCall<Result>[][] {
  const batches: AskedCall<Result>[][] = [];
  let batch: AskedCall<Result>[] = [];
  let characters = 0;
  for (const one of asked) {
    const { length } = one.item.params;
    if (batch.length >= maxBatch || (batch.length > 0 && characters + length > MAX_BATCH_CHARACTERS)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(one);
    characters += length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** The result of `work`, or a rejection with the signal's reason if the call is aborted first. */
function unlessAborted<T>({ signal }: RpcCall, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function mayRepeat(call: RpcCall, failure: unknown): boolean {
  if (failure instanceof RpcCallError) return failure.retryable;
  if (failure instanceof NeverSentError) return true;
  return call.repeatable && failure instanceof ClientError && failure.code === 'unreachable';
}

function isLimitExceeded(outcome: WireOutcome): boolean {
  return !outcome.ok && outcome.error instanceof RpcCallError && outcome.error.kind === 'limit_exceeded';
}
