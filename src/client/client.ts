/**
 * The typed client, exported as `heddle/client`. It speaks JSON-RPC over HTTP with `fetch` or over a custom {@link
 * Transport}, builds and signs transactions locally, and needs no Node API.
 *
 * @example
 * import { connect, devAccount, parseAmount } from 'heddle/client';
 *
 * const client = connect('http://127.0.0.1:9545');
 * const { tip } = await client.status();
 * const alice = client.sender(devAccount(0));
 * const sent = await alice.transfer({
 *   to: devAccount(1).address,
 *   amount: parseAmount('1e18'),
 *   wait: 'included',
 * });
 * console.log(tip.height, sent.hashHex, sent.receipt.height, sent.receipt.fee);
 */
import { httpTransport } from './http-transport.js';
import { decodeAnswers } from './json-rpc.js';
import { LimitedTransport } from './limited-transport.js';
import { type ClientParts, ReadClient } from './read-client.js';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.js';
import { RpcCaller } from './rpc-caller.js';
import { Client } from './rpc-client.js';
import type { Transport } from './transport.js';

export type { TextOrBytes } from '../idl/codecs/text-json-writer.js';
export type { AnyContract, InferredContract } from '../idl/inferred/contract-types.js';
export type { ActionLike } from './action-bytes.js';
export {
  type AddressLike,
  formatAddress,
  formatHash,
  type HashLike,
  parseAddress,
  parseHash,
} from './address-text.js';
export { formatAmount, MAX_DECIMALS, parseAmount } from './amounts.js';
export type {
  Bundle,
  BundledTransaction,
  BundleOptions,
  IncludedBundle,
  SentBundle,
} from './bundle.js';
export type { BundleItem } from './bundle-items.js';
export { CallFailedError, describeStatus, type FailedCall } from './call-failed-error.js';
export type { CallOptions, MethodName } from './call-options.js';
export { ClientError, type ClientErrorCode } from './client-error.js';
export type {
  Contract,
  ContractCallOptions,
  ContractOptions,
  ContractSealOptions,
  ContractViewOptions,
  Deployment,
  UpgradeOptions,
} from './contract.js';
export { deployAction, type NewCode, upgradeAction } from './contract-actions.js';
export { contractAt, type TypedContractOptions } from './contract-at.js';
export type { ContractEvent, ContractWatchOptions } from './contract-events.js';
export type { ContractArgument, ContractArguments } from './contract-interface.js';
export type { DevControls, ImpersonatedCall } from './dev-controls.js';
export type { EventFilter } from './event-filter.js';
export type { WebSocketConstructor, WebSocketLike } from './event-socket.js';
export type { EventWatch, OnEvent, WatchOptions } from './event-watch.js';
export { type HttpTransportOptions, httpTransport } from './http-transport.js';
export type { WaitOptions } from './inclusion-watcher.js';
export { mnemonicAccount } from './mnemonic-account.js';
export type { ReadClient } from './read-client.js';
export { toJson } from './result-json.js';
export type { RetryPolicy } from './retry.js';
export { RpcCallError } from './rpc-call-error.js';
export type { Client } from './rpc-client.js';
export type {
  ClientSealOptions,
  OpenedTransaction,
  SealedTransaction,
  SealedWaitFor,
  SealOptions,
} from './seal-options.js';
export { type EncodedEnvelope, type Sealing, sealTransaction } from './seal-transaction.js';
export type {
  DeployOptions,
  IncludedTransaction,
  SendOptions,
  SentTransaction,
  SignedDetails,
  SimulateOptions,
  TransferOptions,
  WaitFor,
} from './send-options.js';
export type { Sender } from './sender.js';
export { type EncodedTransaction, signTransaction } from './sign-transaction.js';
export {
  devAccount,
  devPrivateKey,
  ed25519Signer,
  type KeyScheme,
  newPrivateKey,
  type Signer,
  secp256k1Signer,
} from './signers.js';
export type {
  ClientSubscription,
  LogFilter,
  SubscribeOptions,
  SubscriptionTopic,
  TopicEvents,
} from './subscription.js';
export {
  NeverSentError,
  type Transport,
  type TransportAnswer,
  type TransportRequestOptions,
} from './transport.js';
export {
  type ContractTypes,
  type OneOf,
  TypedContract,
  type TypedEvent,
  type TypedInclusion,
  type TypedSealedCall,
  type TypedWatchOptions,
} from './typed-contract.js';

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
export interface ConnectOptions extends ClientOptions {
  /** Bearer token, for methods that need one; sent with every call. */
  readonly token?: string;
  /** Maximum size of a response in bytes, decompressed; default 32 MiB, twice the default limit of a node. */
  readonly maxResponseBytes?: number;
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Creates a client for the node at `url` or behind a custom transport. Sends no request yet.
 * @param url such as `http://127.0.0.1:9545`, including the node's base path, if configured
 * @throws ClientError `bad_url` if it is not an http or https URL
 *
 * @example
 * const client = connect('http://127.0.0.1:9545', { batch: true });
 * const [status, stats] = await Promise.all([client.status(), client.txpool_stats()]);
 */
export function connect(url: string, options?: ConnectOptions): Client;
export function connect(transport: Transport, options?: ClientOptions): Client;
export function connect(target: string | Transport, options: ConnectOptions = {}): Client {
  return new Client(partsOf(target, options));
}

/**
 * Like {@link connect}, for programs that send no transactions. Bundles exclude all signing code.
 *
 * @example
 * const client = connectReadOnly('http://127.0.0.1:9545');
 * const { tip } = await client.status();
 */
export function connectReadOnly(url: string, options?: ConnectOptions): ReadClient;
export function connectReadOnly(transport: Transport, options?: ClientOptions): ReadClient;
export function connectReadOnly(target: string | Transport, options: ConnectOptions = {}): ReadClient {
  return new ReadClient(partsOf(target, options));
}

function partsOf(target: string | Transport, options: ConnectOptions): ClientParts {
  const { batch = false, maxBatch = 200, maxConcurrent = 128, timeoutMs = 30_000 } = options;
  const transport = typeof target === 'string' ? httpTransport(target, options) : target;
  const retry = { ...DEFAULT_RETRY, ...options.retry };
  const line = new LimitedTransport(transport, maxConcurrent);
  const shared = { transport: line, retry, maxBatch, random: Math.random, decode: decodeAnswers };
  const batching = new RpcCaller({ ...shared, batch: true });
  const caller = batch ? batching : new RpcCaller({ ...shared, batch });
  return { transport: line, caller, batching, timeoutMs, token: options.token };
}
