import { type Asked, answerAll, TurnBatch } from '../async/turn-batch.js';
import { ClientError } from './client-error.js';
import { decodeAnswers, encodeBatch, encodeCall, type WireOutcome } from './json-rpc.js';
import type { RequestLine } from './request-line.js';
import { type RetryPolicy, retryDelayMs, sleep } from './retry.js';
import { RpcCallError } from './rpc-call-error.js';
import { NeverSentError } from './transport.js';

export interface RpcCallerOptions {
  /** Shared with the client's other callers. */
  readonly line: RequestLine;
  readonly retry: RetryPolicy;
  /** Whether calls made in one turn of the event loop go out as one JSON-RPC batch. */
  readonly batch: boolean;
  readonly maxBatch: number;
  /** 0 ≤ value < 1, for the jitter of pauses. */
  readonly random: () => number;
}

export interface RpcCall {
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

type AskedCall = Asked<RpcCall, WireOutcome>;

/** Makes JSON-RPC calls, with retries and, if asked, batches. */
export class RpcCaller {
  readonly #options: RpcCallerOptions;
  readonly #gathered = new TurnBatch<RpcCall, WireOutcome>(
    () => this.#flush(),
    // Browsers have no setImmediate.
    (work) => setTimeout(work, 0),
  );

  constructor(options: RpcCallerOptions) {
    this.#options = options;
  }

  /**
   * The call's result as parsed JSON. Errors that may pass are met with repetitions: answers marked `retryable`, and
   * broken or impossible connections, the latter only where the call is repeatable or cannot have arrived.
   * @throws RpcCallError, ClientError, or the signal's reason
   */
  async call(call: RpcCall): Promise<unknown> {
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

  async #try(call: RpcCall): Promise<WireOutcome> {
    if (this.#options.batch && !call.alone) return unlessAborted(call, () => this.#gathered.ask(call));
    const [outcome] = await this.#options.line.inTurn(() => this.#exchange([call], call.signal));
    return outcome ?? lost(call);
  }

  #flush(): void {
    const asked = this.#gathered.take().filter(({ item }) => item.signal?.aborted !== true);
    const { line, maxBatch } = this.#options;
    for (const batch of batchesOf(asked, maxBatch)) {
      void line.inTurn(() => answerAll(batch, (calls) => this.#exchange(calls)));
    }
  }

  /** The outcomes of calls that go out together, in their order. @throws ClientError, or the signal's reason */
  async #exchange(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly WireOutcome[]> {
    const { line } = this.#options;
    const wires = calls.map(({ method, params }) => ({ id: line.nextId(), method, params }));
    const [only] = wires;
    const message = wires.length === 1 && only !== undefined ? encodeCall(only) : encodeBatch(wires);
    const timeoutMs = Math.max(...calls.map((call) => call.timeoutMs));
    const answer = await line.request(message, { timeoutMs, signal });
    try {
      return decodeAnswers(wires, answer);
    } catch (cause) {
      if (answer.mayBeProxy !== true) throw cause;
      const reason = `${line.endpoint}: ${answer.label ?? 'an answer'}, no node behind it answers`;
      throw new ClientError('unreachable', reason, { cause });
    }
  }
}

/** Cuts what was asked into batches that the node takes. */
function batchesOf(asked: readonly AskedCall[], maxBatch: number): AskedCall[][] {
  const batches: AskedCall[][] = [];
  let batch: AskedCall[] = [];
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

/** What `work` brings, unless the call's signal comes first: then its reason is thrown. */
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

function lost(call: RpcCall): WireOutcome {
  return { ok: false, error: new ClientError('bad_answer', `${call.method}: no answer`) };
}
