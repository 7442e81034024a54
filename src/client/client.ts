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
import { type ClientOptions, type ConnectOptions, connectionParts } from './connection.js';
import { ReadClient } from './read-client.js';
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
export type { ClientOptions, ConnectOptions } from './connection.js';
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
export type { Script, ScriptChain, ScriptContext, ScriptDeployOptions } from './script.js';
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
  type TokenBalance,
  type TokenBalances,
  type TokenBalancesOptions,
  tokenBalances,
} from './token-balances.js';
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
  return new Client(connectionParts(target, options));
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
  return new ReadClient(connectionParts(target, options));
}
