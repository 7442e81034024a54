import { CodedError } from '../../base/errors.js';
import { type Client, ClientError, connect, formatHash, RpcCallError } from '../../client/client.js';
import { askCall, type CallEnd, type CallFailure } from '../../load/calls/ask-call.js';
import { type CallLine, CallsError } from '../../load/calls/call-line.js';
import { keptHttpTransport } from '../../load/keep-alive-http-transport.js';
import type { ResultText } from '../../load/result-text.js';
import { defaultBatchSize, textCaller } from '../../load/text-caller.js';
import type { Pin } from '../run/run-record.js';
import { AdaptiveLimit } from './adaptive-limit.js';

/**
 * What a failed call means to the farm:
 * - `final`: every node would answer so; it is the call's result.
 * - `undetermined`: another try may end otherwise; the result if a second one does not.
 * - `away`: the node answers no calls at the moment.
 * - `refuses`: the node answers no calls of this worker.
 * - `lacks_state`: the node does not have the state that the job needs.
 */
export type FailureMeaning = 'final' | 'undetermined' | 'away' | 'refuses' | 'lacks_state';

const MEANINGS: Readonly<Record<string, FailureMeaning>> = {
  timeout: 'undetermined',
  client_timeout: 'undetermined',
  internal_error: 'undetermined',
  overloaded: 'away',
  rate_limited: 'away',
  not_ready: 'away',
  unauthorized: 'refuses',
  forbidden: 'refuses',
  payment_required: 'refuses',
  state_unavailable: 'lacks_state',
};

/** @param block hash of the block that the call names, if any */
export function meaningOf(
  { kind, data }: Pick<CallFailure, 'kind' | 'data'>,
  block: string | undefined,
): FailureMeaning {
  // A follower that has not received the block yet answers so.
  if (kind === 'not_found' && block !== undefined && data?.['hash'] === block) return 'lacks_state';
  return MEANINGS[kind] ?? 'final';
}

/** Retries of a single call; while they wait, the limit of calls in flight shrinks. */
const RETRY = { retries: 6, baseDelayMs: 100, maxDelayMs: 3_000 };

const CLIENT_MS = 10_000;

/** Lifetime of the knowledge that a node has a state, in milliseconds. */
const PIN_MS = 30_000;

/** Tries of a call whose outcome depends on the moment, such as a timeout. */
const TRIES = 2;

/** A node cannot do a job now; another one may. */
export class NodeAwayError extends CodedError<'away' | 'refuses' | 'lacks_state'> {
  override readonly name = 'NodeAwayError';
}

/** A call to make: the block of its state, and its text. */
export interface NodeCall extends Omit<CallLine, 'id'> {
  /** Undefined if the call itself fixes its state. */
  readonly pin: Pin | undefined;
}

export interface TimedEnd {
  readonly end: CallEnd<ResultText>;
  readonly timeUs: number;
  /** True if another try may end otherwise. */
  readonly isUndetermined: boolean;
}

export interface FarmNodeOptions {
  readonly url: string;
  readonly token: string | undefined;
  /** Maximum number of calls in flight. */
  readonly concurrency: number;
  /** Called when the node has too much to do. */
  readonly onOverload?: () => void;
}

/** A node that a worker gives calls to. */
export class FarmNode {
  /** The URL without path, which may hold a key of a provider. */
  readonly name: string;
  readonly concurrency: number;
  readonly limit: AdaptiveLimit;
  readonly #client: Client;
  readonly #url: string;
  readonly #caller: ReturnType<typeof textCaller>;
  readonly close: () => void;
  readonly #onOverload: () => void;
  /** The blocks whose state the node has, and the time until which that is believed. */
  readonly #pins = new Map<string, number>();

  constructor({ url, token, concurrency, onOverload = () => undefined }: FarmNodeOptions) {
    this.name = new URL(url).origin;
    this.concurrency = concurrency;
    this.#url = url.replace(/\/+$/, '');
    const batch = defaultBatchSize(concurrency);
    this.limit = new AdaptiveLimit(concurrency, batch);
    const transport = keptHttpTransport(url, { token });
    this.#client = connect(transport, { timeoutMs: CLIENT_MS });
    this.#caller = textCaller(transport, { retry: RETRY, concurrency, batch });
    this.close = () => void transport.close?.();
    this.#onOverload = onOverload;
  }

  /** Makes a call when the node has room for it. @throws NodeAwayError, or the signal's reason */
  call(call: NodeCall, signal: AbortSignal): Promise<TimedEnd> {
    return this.limit.run(async () => {
      for (let tries = 1; ; tries++) {
        signal.throwIfAborted();
        const timed = await this.#try(call, signal);
        if (!timed.isUndetermined || tries >= TRIES) return timed;
      }
    });
  }

  /** Makes sure that the node has the state after a block. @throws NodeAwayError */
  async expectState(pin: Pin): Promise<void> {
    const now = performance.now();
    if ((this.#pins.get(pin.hash) ?? 0) > now) return;
    this.#pins.delete(pin.hash);
    const height = await this.heightOf(Buffer.from(pin.hash, 'hex'));
    if (`${height}` !== pin.height) {
      const problem = `${this.name}: block ${pin.hash} is ${height}, not ${pin.height}`;
      throw new NodeAwayError('lacks_state', problem);
    }
    // A run over many heights must not fill memory.
    if (this.#pins.size >= 1_000) this.#pins.clear();
    this.#pins.set(pin.hash, now + PIN_MS);
  }

  /** The height of a block whose state the node has. @throws NodeAwayError */
  async heightOf(hash: Uint8Array): Promise<bigint> {
    // The result of a simulation without effect tells the height of its state.
    const nobody = new Uint8Array(20);
    const action = { type: 'transfer', value: { to: nobody, amount: 0n } } as const;
    const { height } = await this.ask(
      (client) =>
        client.tx_simulate({ build: { sender: nobody, action }, at: { type: 'hash', value: hash } }),
      formatHash(hash),
    );
    return height;
  }

  /** Makes sure that the node has a block; its state may be pruned. @throws NodeAwayError */
  async expectBlock(pin: Pin): Promise<void> {
    const height = BigInt(pin.height);
    const { blocks } = await this.ask((client) =>
      client.get_block_summaries({ from_height: height, to_height: height }),
    );
    const [block] = blocks;
    if (block !== undefined && formatHash(block.hash) === pin.hash) return;
    const has = block === undefined ? 'the answer lacks it' : `its block is ${formatHash(block.hash)}`;
    throw new NodeAwayError('lacks_state', `${this.name}: expected block ${pin.height} ${pin.hash}, ${has}`);
  }

  /** @param block hash of the block that the question names, if any. @throws NodeAwayError */
  async ask<T>(question: (client: Client) => Promise<T>, block?: string): Promise<T> {
    try {
      return await question(this.#client);
    } catch (error) {
      if (error instanceof RpcCallError) {
        const meaning = meaningOf(error, block);
        // A final refusal, as of bodies that are pruned, is no reason against other jobs.
        const code = meaning === 'refuses' || meaning === 'away' ? meaning : 'lacks_state';
        throw new NodeAwayError(code, `${this.name}: ${error.message} (${error.kind})`, { cause: error });
      }
      if (error instanceof ClientError) throw this.#away(error);
      throw error;
    }
  }

  async #try(call: NodeCall, signal: AbortSignal): Promise<TimedEnd> {
    const start = performance.now();
    let end: CallEnd<ResultText>;
    try {
      end = await askCall(this.#caller, call, { signal, onRetry: (error) => this.#noteRetry(error) });
    } catch (error) {
      if (error instanceof CallsError) throw this.#away(error);
      throw error;
    }
    const timeUs = Math.round((performance.now() - start) * 1_000);
    const meaning = 'failure' in end ? meaningOf(end.failure, call.pin?.hash) : 'final';
    // A node that hangs must not turn whole jobs into errors.
    if ('failure' in end && end.failure.kind === 'client_timeout')
      await this.ask((client) => client.status());
    if (meaning === 'final' || meaning === 'undetermined' || (meaning === 'lacks_state' && !call.pin)) {
      this.limit.answered();
      return { end, timeUs, isUndetermined: meaning === 'undetermined' };
    }
    if (call.pin !== undefined) this.#pins.delete(call.pin.hash);
    const { message, kind } = 'failure' in end ? end.failure : { message: '', kind: '' };
    throw new NodeAwayError(meaning, `${this.name}: ${message} (${kind})`);
  }

  #away(error: Error): NodeAwayError {
    return new NodeAwayError('away', error.message.replaceAll(this.#url, this.name), { cause: error });
  }

  #noteRetry(error: unknown): void {
    if (!(error instanceof RpcCallError) || meaningOf(error, undefined) !== 'away') return;
    this.limit.refused();
    this.#onOverload();
  }
}
