import { bytesToHex } from '@noble/hashes/utils.js';
import type { NodeRpcV1Methods, Receipt } from '../generated/node-rpc-v1.js';
import { NodeRpcV1Client } from '../generated/node-rpc-v1-client.js';
import { parseAddress } from './address-text.js';
import { ChainFacts } from './chain-facts.js';
import { Contract, type ContractOptions } from './contract.js';
import { InclusionWatcher, type WaitOptions } from './inclusion-watcher.js';
import { decodeResult, encodeParams, isRepeatable } from './method-codecs.js';
import { Sender } from './sender.js';
import type { Signer } from './signers.js';
import type { Transport } from './transport.js';

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

export interface ClientOptions {
  /** The full address of the RPC endpoint. */
  readonly endpoint: string;
  /** How long one try of a call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** A transport to the same endpoint that batches; absent where the client's own does. */
  readonly batching?: Transport;
}

/** What the node waits where `tx_submit` does not say, in milliseconds. */
const NODE_WAIT_MS = 10_000;

/**
 * A connection to a node: every method of the interface by its name, fully typed, and what makes sending transactions
 * easy. Made by `connect`.
 */
export class Client extends NodeRpcV1Client {
  /** The full address of the RPC endpoint. */
  readonly endpoint: string;
  readonly #transport: Transport;
  readonly #timeoutMs: number;
  readonly #facts: ChainFacts;
  readonly #watcher: InclusionWatcher;
  readonly #senders = new Map<string, Sender>();

  constructor(transport: Transport, options: ClientOptions) {
    super((method, params) => this.call(method, params));
    const { endpoint, timeoutMs, batching } = options;
    this.endpoint = endpoint;
    this.#transport = transport;
    this.#timeoutMs = timeoutMs;
    this.#facts = new ChainFacts(this);
    this.#watcher = new InclusionWatcher(
      batching === undefined ? this : new Client(batching, { endpoint, timeoutMs }),
    );
  }

  /**
   * Calls a method with options of its own.
   * @throws RpcCallError what the node answered; ClientError where it did not; the signal's reason
   *
   * @example
   * const status = await client.call('status', {}, { signal: AbortSignal.timeout(500) });
   */
  async call<M extends MethodName>(
    method: M,
    params: NodeRpcV1Methods[M]['params'],
    options: CallOptions = {},
  ): Promise<NodeRpcV1Methods[M]['result']> {
    const waitMs = nodeWaitMs(method, params);
    const result = await this.#transport.call({
      method,
      params: encodeParams(method, params),
      timeoutMs: (options.timeoutMs ?? this.#timeoutMs) + waitMs,
      signal: options.signal,
      onRetry: options.onRetry,
      repeatable: isRepeatable(method),
      alone: waitMs > 0,
    });
    return decodeResult(method, result);
  }

  /**
   * Sends transactions of one account in one of its lanes, and keeps count of its nonces. The same signer and lane get
   * the same sender, so that all parts of a program share one count.
   * @param options.lane 0 unless given; lanes do not wait for each other
   *
   * @example
   * const alice = client.sender(devAccount(0));
   * const { receipt } = await alice.transfer({ to: '0x…', amount: 1_000n, wait: 'included' });
   */
  sender(signer: Signer, options: { readonly lane?: number } = {}): Sender {
    const lane = options.lane ?? 0;
    const key = `${bytesToHex(signer.address)}/${lane}`;
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const sender = new Sender({ client: this, facts: this.#facts, signer, lane });
    this.#senders.set(key, sender);
    return sender;
  }

  /**
   * A contract on the chain, called by the names of its interface. Nothing is asked yet.
   * @param address text or 20 bytes
   *
   * @example
   * const token = client.contract('0x…', { sender: alice });
   * const { receipt } = await token.call('transfer', { to: bob.address, amount: 250n });
   * const left = await token.view('balance_of', [alice.signer.address]);
   */
  contract(address: string | Uint8Array, options: ContractOptions = {}): Contract {
    return new Contract(this, typeof address === 'string' ? parseAddress(address) : address, options);
  }

  /**
   * Waits for a transaction's receipt.
   * @param hash 32 bytes
   * @throws ClientError `not_included` when the time is over, `dropped` when the pool gave the transaction up,
   *   `unknown_transaction` when the node has not known it for some seconds
   */
  waitForReceipt(hash: Uint8Array, options: WaitOptions = {}): Promise<Receipt> {
    return this.#watcher.wait(hash, options);
  }
}

/** How long the node is asked to hold its answer back, in milliseconds. */
function nodeWaitMs<M extends MethodName>(method: M, params: NodeRpcV1Methods[M]['params']): number {
  if (method !== 'tx_submit' || !('wait' in params) || typeof params.wait !== 'object') return 0;
  if (params.wait.type === 'none') return 0;
  return 'timeout_ms' in params && typeof params.timeout_ms === 'number' ? params.timeout_ms : NODE_WAIT_MS;
}
