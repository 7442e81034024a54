/**
 * The typed client: what `import … from 'heddle/client'` gives. It speaks JSON-RPC over HTTP with `fetch`, or over a
 * {@link Transport} of your own, builds and signs transactions itself, and needs nothing that only Node has.
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

export { formatAddress, formatHash, parseAddress } from './address-text.js';
export { formatAmount, parseAmount } from './amounts.js';
export { CallFailedError, describeStatus } from './call-failed-error.js';
export { ClientError, type ClientErrorCode } from './client-error.js';
export {
  type Contract,
  type ContractCallOptions,
  type ContractOptions,
  type ContractSealOptions,
  type ContractViewOptions,
  contractAt,
  type Deployment,
  type UpgradeOptions,
} from './contract.js';
export type { ContractArgument, ContractArguments } from './contract-interface.js';
export { type HttpTransportOptions, httpTransport } from './http-transport.js';
export type { WaitOptions } from './inclusion-watcher.js';
export type { CallOptions, MethodName, ReadClient } from './read-client.js';
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
  type TypedInclusion,
  type TypedSealedCall,
} from './typed-contract.js';

/** How calls are made, over whatever transport. */
export interface ClientOptions {
  /** How long one try of a call may take, in milliseconds; default 30,000. Time the node was asked to wait comes on top. */
  readonly timeoutMs?: number;
  /** How calls that failed for the moment are tried again; `{ retries: 0 }` switches it off. */
  readonly retry?: Partial<RetryPolicy>;
  /** Send calls made in one turn of the event loop as one JSON-RPC batch; default false. */
  readonly batch?: boolean;
  /** Most calls in a batch; default 200, the node's own limit unless configured otherwise. */
  readonly maxBatch?: number;
  /** Most requests under way at a time, the others waiting their turn; default 128, at least 1. */
  readonly maxConcurrent?: number;
}

/** How a node is reached by HTTP, and how calls are made. */
export interface ConnectOptions extends ClientOptions {
  /** Bearer token, for methods that need one; sent with every call. */
  readonly token?: string;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * A client of the node at `url`, or at the end of another transport; nothing is sent yet.
 * @param url such as `http://127.0.0.1:9545`, with the path that the node was given as base URL, if any
 * @throws ClientError `bad_url` where it is no http or https URL
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
 * As {@link connect}, for programs that send no transactions: their bundles have none of the code that signs.
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
  return { transport: line, caller, batching, timeoutMs };
}
