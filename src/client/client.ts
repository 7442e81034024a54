/**
 * The typed client: what `import … from 'heddle/client'` gives. It speaks JSON-RPC over HTTP with `fetch`, builds and
 * signs transactions itself, and needs nothing that only Node has.
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
import { ClientError } from './client-error.js';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.js';
import { Client } from './rpc-client.js';
import { Transport } from './transport.js';

export { formatAddress, formatHash, parseAddress } from './address-text.js';
export { formatAmount, parseAmount } from './amounts.js';
export { CallFailedError, describeStatus } from './call-failed-error.js';
export { ClientError, type ClientErrorCode } from './client-error.js';
export type {
  Contract,
  ContractCallOptions,
  ContractOptions,
  ContractViewOptions,
  UpgradeOptions,
} from './contract.js';
export type { ContractArgument, ContractArguments } from './contract-interface.js';
export type { WaitOptions } from './inclusion-watcher.js';
export type { RetryPolicy } from './retry.js';
export { RpcCallError } from './rpc-call-error.js';
export type { CallOptions, Client, MethodName } from './rpc-client.js';
export type {
  Deployment,
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
export { type ContractTypes, type OneOf, TypedContract, type TypedInclusion } from './typed-contract.js';

export interface ConnectOptions {
  /** Bearer token, for methods that need one; sent with every call. */
  readonly token?: string;
  /** How long one try of a call may take, in milliseconds; default 30,000. Time the node was asked to wait comes on top. */
  readonly timeoutMs?: number;
  /** How calls that failed for the moment are tried again; `{ retries: 0 }` switches it off. */
  readonly retry?: Partial<RetryPolicy>;
  /** Send calls made in one turn of the event loop as one JSON-RPC batch; default false. */
  readonly batch?: boolean;
  /** Most calls in a batch; default 200, the node's own limit unless configured otherwise. */
  readonly maxBatch?: number;
  /** Most HTTP requests under way at a time, the others waiting their turn; default 128. */
  readonly maxConcurrent?: number;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * A client of the node at `url`; nothing is sent yet.
 * @param url such as `http://127.0.0.1:9545`, with the path that the node was given as base URL, if any
 * @throws ClientError `bad_url` where it is no http or https URL
 *
 * @example
 * const client = connect('http://127.0.0.1:9545', { batch: true });
 * const [status, stats] = await Promise.all([client.status(), client.txpool_stats()]);
 */
export function connect(url: string, options: ConnectOptions = {}): Client {
  const endpoint = endpointOf(url);
  const transport = (batch: boolean) =>
    new Transport({
      endpoint,
      token: options.token,
      retry: { ...DEFAULT_RETRY, ...options.retry },
      maxConcurrent: options.maxConcurrent ?? 128,
      batch,
      maxBatch: options.maxBatch ?? 200,
      fetch: options.fetch ?? fetch,
      random: Math.random,
    });
  const batch = options.batch ?? false;
  return new Client(transport(batch), {
    endpoint,
    timeoutMs: options.timeoutMs ?? 30_000,
    ...(!batch && { batching: transport(true) }),
  });
}

const RPC_PATH = '/v2/rpc';

function endpointOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ClientError(
      'bad_url',
      `expected a URL such as http://127.0.0.1:9545, got ${JSON.stringify(url)}`,
    );
  }
  const base = url.replace(/\/+$/, '');
  return base.endsWith(RPC_PATH) ? base : base + RPC_PATH;
}
