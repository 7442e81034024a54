import type { BlockSummary, Log, NodeRpcV1Methods, Receipt } from '../generated/node-rpc-v1.js';
import { NodeRpcV1Client } from '../generated/node-rpc-v1-client.js';
import { nodeRpcV1Calls } from '../generated/node-rpc-v1-codecs.js';
import { CodecState } from '../idl/codecs/codec.js';
import { TextJsonWriter, type TextOrBytes } from '../idl/codecs/text-json-writer.js';
import { type HashLike, hashBytes } from './address-text.js';
import { BlockFeed } from './block-feed.js';
import type { CallOptions, MethodCaller, MethodName } from './call-options.js';
import { checkBigints, decoded, encoded } from './checked-arguments.js';
import { ClientError } from './client-error.js';
import { socketUrl } from './event-socket.js';
import { EventWatch, type OnEvent, type WatchOptions } from './event-watch.js';
import type { Feed, FeedTopic } from './feed.js';
import { InclusionWatcher, type WaitOptions } from './inclusion-watcher.js';
import type { LimitedTransport } from './limited-transport.js';
import { encodeLogFilter, LogFeed } from './log-feed.js';
import type { RpcCaller } from './rpc-caller.js';
import {
  type ClientSubscription,
  type LogFilter,
  ResumingSubscription,
  type SubscribeOptions,
  type SubscriptionParts,
  type SubscriptionTopic,
  type TopicEvents,
} from './subscription.js';

export interface ClientParts {
  readonly transport: LimitedTransport;
  /** Makes calls over the transport. */
  readonly caller: RpcCaller;
  /** Makes calls in batches over the transport. */
  readonly batching: RpcCaller;
  /** Timeout per attempt of a call, in milliseconds. */
  readonly timeoutMs: number;
  /** Bearer token for subscriptions; the transport has its own. */
  readonly token?: string | undefined;
}

/** Ignores unknown members, which newer nodes may add. */
const { jsonReader } = new CodecState({ unknownMembers: 'ignore' });
const jsonWriter = new TextJsonWriter();

/** The node's default wait for `tx_submit`, in milliseconds. */
const NODE_WAIT_MS = 10_000;

/**
 * A connection to a node with all interface methods, fully typed, but no signing: bundles built from this class alone
 * contain no keys, signatures or contract interfaces. Created by `connectReadOnly`.
 */
export class ReadClient extends NodeRpcV1Client implements MethodCaller {
  readonly #parts: ClientParts;
  readonly #watcher: InclusionWatcher;
  readonly #subscriptions = new Set<ClientSubscription>();

  constructor(parts: ClientParts) {
    super((method, params) => this.call(method, params));
    this.#parts = parts;
    const { caller, batching } = parts;
    this.#watcher = new InclusionWatcher(
      batching === caller ? this : new ReadClient({ ...parts, caller: batching }),
    );
  }

  /** Full URL of the RPC endpoint. */
  get endpoint(): string {
    return this.#parts.transport.endpoint;
  }

  /**
   * Calls a method with per-call options.
   * @throws RpcCallError for an error response; ClientError if there is no valid response; the signal's reason
   *
   * @example
   * const status = await client.call('status', {}, { signal: AbortSignal.timeout(5_000) });
   */
  async call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options: CallOptions = {},
  ): Promise<Result<M>> {
    const { caller, timeoutMs } = this.#parts;
    const waitMs = nodeWaitMs(method, params);
    const result = await caller.call({
      method,
      params: encodeParams(method, params),
      timeoutMs: (options.timeoutMs ?? timeoutMs) + waitMs,
      signal: options.signal,
      onRetry: options.onRetry,
      repeatable: calls(method).isRepeatable,
      unbatched: waitMs > 0,
    });
    return decodeResult(method, result);
  }

  /**
   * Waits for a transaction's receipt.
   * @param hash 32 bytes or 64 hex digits
   * @throws ClientError `not_included` after the timeout, `dropped` if the transaction left the pool,
   *   `unknown_transaction` if the node did not know it for some seconds
   *
   * @example
   * const { hash } = await alice.transfer({ to: bob.address, amount: 5n });
   * const receipt = await client.waitForReceipt(hash);
   */
  async waitForReceipt(hash: HashLike, options: WaitOptions = {}): Promise<Receipt> {
    return this.#watcher.wait(hashBytes(hash, 'hash'), options);
  }

  /**
   * Reports events as they happen, over a separate WebSocket. After losing the connection, it reconnects and continues
   * with the next event, without gaps or repeats; only pending transactions may be missed.
   * @param onEvent must not throw: an error ends the subscription
   * @throws ClientError `bad_url` over a transport that is not HTTP, `bad_argument` if there is no WebSocket
   */
  subscribe<T extends SubscriptionTopic>(
    topic: T,
    options: SubscribeOptions,
    onEvent: (event: TopicEvents[T]) => void,
  ): ClientSubscription {
    checkBigints(options);
    const subscription = new ResumingSubscription(this.#socket(), topic, options, onEvent);
    this.#register(subscription);
    return subscription;
  }

  /**
   * Reports blocks as they come, each once and in order: to `onBlock`, or to a `for await` loop. Uses a WebSocket if
   * there is one, and otherwise polls. Continues after lost connections.
   * @param options.finalized report final blocks
   * @throws ClientError `bad_argument`
   *
   * @example
   * for await (const { height, tx_count } of client.watchBlocks({ fromHeight: 0n })) {
   *   console.log(height, tx_count);
   *   if (height === 1n) break;
   * }
   */
  watchBlocks(
    options: WatchOptions & { readonly finalized?: boolean } = {},
    onBlock?: OnEvent<BlockSummary>,
  ): EventWatch<BlockSummary> {
    const { finalized = false, fromHeight } = options;
    return this.watchFeed(async () => new BlockFeed(this, finalized, fromHeight), options, onBlock);
  }

  /**
   * Reports logs as they come, like {@link watchBlocks}; `contract.watch` reports decoded events.
   * @throws ClientError `bad_argument`, `bad_address`, `bad_hash`
   *
   * @example
   * const logs = client.watchLogs({ contract: address }, { fromHeight: 0n }, ({ height }) => console.log(height));
   * await logs.started;
   * logs.close();
   */
  watchLogs(filter: LogFilter = {}, options: WatchOptions = {}, onLog?: OnEvent<Log>): EventWatch<Log> {
    const encoded = encodeLogFilter(filter);
    const feed = async () => new LogFeed(this, encoded, options.fromHeight, (log) => log);
    return this.watchFeed(feed, options, onLog);
  }

  /**
   * Watches any feed, such as a contract's decoded events.
   * @throws ClientError `bad_argument`
   */
  watchFeed<T>(
    feed: () => Promise<Feed<FeedTopic, T>>,
    options: WatchOptions,
    onEvent?: OnEvent<T>,
  ): EventWatch<T> {
    checkBigints(options);
    const isHttp = /^https?:/.test(this.endpoint);
    const watch = new EventWatch({ feed, socket: isHttp ? this.#socket() : undefined }, options, onEvent);
    this.#register(watch);
    return watch;
  }

  #socket(): SubscriptionParts {
    return {
      url: socketUrl(this.endpoint),
      token: this.#parts.token,
      tip: async () => (await this.status()).tip.height,
    };
  }

  #register(subscription: ClientSubscription): void {
    this.#subscriptions.add(subscription);
    const forget = () => void this.#subscriptions.delete(subscription);
    subscription.ended.then(forget, forget);
  }

  /**
   * Closes the transport and the client. Later calls and retries, including polls for a receipt, reject with a
   * ClientError `closed`. Repeated calls have no effect.
   */
  close(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.close();
    return this.#parts.transport.close();
  }
}

type Params<M extends MethodName> = TextOrBytes<NodeRpcV1Methods[M]['params']>;
type Result<M extends MethodName> = NodeRpcV1Methods[M]['result'];

/** Wait requested from the node before it responds, in milliseconds. */
function nodeWaitMs<M extends MethodName>(method: M, params: Params<M>): number {
  if (method !== 'tx_submit' || !('wait' in params) || typeof params.wait !== 'object') return 0;
  if (params.wait.type === 'none') return 0;
  return 'timeout_ms' in params && typeof params.timeout_ms === 'number' ? params.timeout_ms : NODE_WAIT_MS;
}

/** @throws ClientError `bad_argument` naming the member with the wrong type */
function encodeParams<M extends MethodName>(method: M, params: Params<M>): string {
  return encoded(method, () => {
    jsonWriter.begin();
    // The writer also takes text in place of bytes.
    return calls(method).writeParams(jsonWriter, params as NodeRpcV1Methods[M]['params'], 'params');
  });
}

/** @throws ClientError `bad_answer` naming the member with the wrong type */
function decodeResult<M extends MethodName>(method: M, result: unknown): Result<M> {
  return decoded(method, () => {
    jsonReader.begin();
    return calls(method).readResult(jsonReader, result, 'result');
  });
}

function calls<M extends MethodName>(method: M): (typeof nodeRpcV1Calls)[M] {
  if (!Object.hasOwn(nodeRpcV1Calls, method)) {
    throw new ClientError('bad_argument', `the interface has no method ${method}`);
  }
  return nodeRpcV1Calls[method];
}
