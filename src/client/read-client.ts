import type { NodeRpcV1Methods, Receipt } from '../generated/node-rpc-v1.js';
import { NodeRpcV1Client } from '../generated/node-rpc-v1-client.js';
import { InclusionWatcher, type WaitOptions } from './inclusion-watcher.js';
import type { LimitedTransport } from './limited-transport.js';
import { decodeResult, encodeParams, isRepeatable } from './method-codecs.js';
import type { RpcCaller } from './rpc-caller.js';

export type MethodName = keyof NodeRpcV1Methods;

/** What may be said for one call. */
export interface CallOptions {
  /** How long one try may take, in milliseconds; beyond what the node is asked to wait. */
  readonly timeoutMs?: number;
  /** Ends the call; its promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told of each failure that is met with another try. */
  readonly onRetry?: (error: unknown) => void;
}

export interface ClientParts {
  /** The way to the node. */
  readonly transport: LimitedTransport;
  /** Makes its calls, over that line. */
  readonly caller: RpcCaller;
  /** Does so in batches. */
  readonly batching: RpcCaller;
  /** How long one try of a call may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** What the node waits where `tx_submit` does not say, in milliseconds. */
const NODE_WAIT_MS = 10_000;

/**
 * A connection to a node that has every method of the interface by its name, fully typed, and nothing that signs: what is
 * built from this class alone bundles no keys, no signatures and no contract interfaces. Made by `connectReadOnly`.
 */
export class ReadClient extends NodeRpcV1Client {
  readonly #transport: LimitedTransport;
  readonly #caller: RpcCaller;
  readonly #timeoutMs: number;
  readonly #watcher: InclusionWatcher;

  constructor({ transport, caller, batching, timeoutMs }: ClientParts) {
    super((method, params) => this.call(method, params));
    this.#transport = transport;
    this.#caller = caller;
    this.#timeoutMs = timeoutMs;
    this.#watcher = new InclusionWatcher(
      batching === caller ? this : new ReadClient({ transport, caller: batching, batching, timeoutMs }),
    );
  }

  /** The full address of the RPC endpoint. */
  get endpoint(): string {
    return this.#transport.endpoint;
  }

  /**
   * Calls a method with options of its own.
   * @throws RpcCallError what the node answered; ClientError where it did not; the signal's reason
   *
   * @example
   * const status = await client.call('status', {}, { signal: AbortSignal.timeout(5_000) });
   */
  async call<M extends MethodName>(
    method: M,
    params: NodeRpcV1Methods[M]['params'],
    options: CallOptions = {},
  ): Promise<NodeRpcV1Methods[M]['result']> {
    const waitMs = nodeWaitMs(method, params);
    const result = await this.#caller.call({
      method,
      params: encodeParams(method, params),
      timeoutMs: (options.timeoutMs ?? this.#timeoutMs) + waitMs,
      signal: options.signal,
      onRetry: options.onRetry,
      repeatable: isRepeatable(method),
      unbatched: waitMs > 0,
    });
    return decodeResult(method, result);
  }

  /**
   * Waits for a transaction's receipt.
   * @param hash 32 bytes
   * @throws ClientError `not_included` when the time is over, `dropped` when the pool gave the transaction up,
   *   `unknown_transaction` when the node has not known it for some seconds
   *
   * @example
   * const { hash } = await alice.transfer({ to: bob.address, amount: 5n });
   * const receipt = await client.waitForReceipt(hash);
   */
  waitForReceipt(hash: Uint8Array, options: WaitOptions = {}): Promise<Receipt> {
    return this.#watcher.wait(hash, options);
  }

  /**
   * Ends what the transport keeps open, and with it the client: calls that would be made or repeated after it, also to look for
   * a receipt that is waited for, reject with a ClientError `closed`. Calling it again does nothing.
   */
  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** How long the node is asked to hold its answer back, in milliseconds. */
function nodeWaitMs<M extends MethodName>(method: M, params: NodeRpcV1Methods[M]['params']): number {
  if (method !== 'tx_submit' || !('wait' in params) || typeof params.wait !== 'object') return 0;
  if (params.wait.type === 'none') return 0;
  return 'timeout_ms' in params && typeof params.timeout_ms === 'number' ? params.timeout_ms : NODE_WAIT_MS;
}
