import pLimit, { type LimitFunction } from 'p-limit';
import { ClientError } from './client-error.js';
import { NeverSentError, postJson } from './http-post.js';
import { decodeAnswers, encodeBatch, encodeCall, type WireCall, type WireOutcome } from './json-rpc.js';
import { type RetryPolicy, retryDelayMs, sleep } from './retry.js';
import { RpcCallError } from './rpc-call-error.js';

export interface TransportOptions {
  /** The full address of the RPC endpoint. */
  readonly endpoint: string;
  readonly token: string | undefined;
  readonly retry: RetryPolicy;
  /** Requests under way at a time; more wait their turn. */
  readonly maxConcurrent: number;
  /** Whether calls made in one turn of the event loop go out as one JSON-RPC batch. */
  readonly batch: boolean;
  readonly maxBatch: number;
  readonly fetch: typeof fetch;
  /** 0 ≤ value < 1, for the jitter of pauses. */
  readonly random: () => number;
}

export interface TransportCall {
  readonly method: string;
  /** JSON text. */
  readonly params: string;
  /** How long one try may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether doing it twice is the same as doing it once. */
  readonly repeatable: boolean;
  /** Told of each failure that is met with another try. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
  /** Keeps the call out of batches: its answer may take long, and a batch is answered as a whole. */
  readonly alone: boolean;
}

/** A batch stays well below the node's default limit on bodies. */
const MAX_BATCH_CHARACTERS = 1_000_000;

interface Queued {
  readonly call: TransportCall;
  readonly settle: (outcome: WireOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** Carries calls to one endpoint: JSON-RPC over HTTP POST, with retries and, if asked, batches. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limited: LimitFunction;
  #lastId = 0;
  #queue: Queued[] = [];

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#headers = {
      'content-type': 'application/json',
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
    };
    this.#limited = pLimit(options.maxConcurrent);
  }

  /**
   * The call's result as parsed JSON. Errors that may pass are met with repetitions: answers marked `retryable`, and
   * broken or impossible connections, the latter only where the call is repeatable or cannot have arrived.
   * @throws RpcCallError, ClientError, or the signal's reason
   */
  async call(call: TransportCall): Promise<unknown> {
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
      const retryAfterMs = failure instanceof RpcCallError ? failure.retryAfterMs : undefined;
      await sleep(retryDelayMs(retry, attempt, random(), retryAfterMs), call.signal);
    }
  }

  #try(call: TransportCall): Promise<WireOutcome> {
    if (!this.#options.batch || call.alone) {
      return this.#limited(async () => {
        const wire = this.#wire(call);
        const [outcome] = await this.#post([wire], encodeCall(wire), call.timeoutMs, call.signal);
        return outcome ?? lost(call);
      });
    }
    return new Promise((settle, reject) => {
      if (call.signal?.aborted) {
        reject(call.signal.reason);
        return;
      }
      const onAbort = () => reject(call.signal?.reason);
      call.signal?.addEventListener('abort', onAbort, { once: true });
      const done = () => call.signal?.removeEventListener('abort', onAbort);
      if (this.#queue.length === 0) setTimeout(() => this.#flush(), 0);
      this.#queue.push({
        call,
        settle: (outcome) => {
          done();
          settle(outcome);
        },
        fail: (error) => {
          done();
          reject(error);
        },
      });
    });
  }

  #flush(): void {
    const queued = this.#queue.filter(({ call }) => call.signal?.aborted !== true);
    this.#queue = [];
    let batch: Queued[] = [];
    let characters = 0;
    for (const entry of queued) {
      const length = entry.call.params.length;
      if (
        batch.length >= this.#options.maxBatch ||
        (batch.length > 0 && characters + length > MAX_BATCH_CHARACTERS)
      ) {
        void this.#send(batch);
        batch = [];
        characters = 0;
      }
      batch.push(entry);
      characters += length;
    }
    if (batch.length > 0) void this.#send(batch);
  }

  /** Never rejects: what goes wrong goes to the batch's calls. */
  async #send(batch: readonly Queued[]): Promise<void> {
    try {
      await this.#limited(async () => {
        const wires = batch.map(({ call }) => this.#wire(call));
        const [only] = wires;
        const body = wires.length === 1 && only !== undefined ? encodeCall(only) : encodeBatch(wires);
        const timeoutMs = Math.max(...batch.map(({ call }) => call.timeoutMs));
        const outcomes = await this.#post(wires, body, timeoutMs);
        batch.forEach(({ call, settle }, place) => {
          settle(outcomes[place] ?? lost(call));
        });
      });
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }

  async #post(calls: readonly WireCall[], body: string, timeoutMs: number, signal?: AbortSignal) {
    const { endpoint: url, fetch } = this.#options;
    const answer = await postJson({ url, body, headers: this.#headers, timeoutMs, signal, fetch });
    try {
      return decodeAnswers(calls, answer.status, answer.body);
    } catch (error) {
      // A proxy that finds no node behind it answers for itself.
      if (![502, 503, 504].includes(answer.status)) throw error;
      throw new ClientError('unreachable', `${url}: HTTP ${answer.status}, no node behind it answers`, {
        cause: error,
      });
    }
  }

  #wire(call: TransportCall): WireCall {
    return { id: ++this.#lastId, method: call.method, params: call.params };
  }
}

function mayRepeat(call: TransportCall, failure: unknown): boolean {
  if (failure instanceof RpcCallError) return failure.retryable;
  if (failure instanceof NeverSentError) return true;
  return call.repeatable && failure instanceof ClientError && failure.code === 'unreachable';
}

function lost(call: TransportCall): WireOutcome {
  return { ok: false, error: new ClientError('bad_answer', `${call.method}: no answer`) };
}
