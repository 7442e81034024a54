import { Deferred } from '../../async/deferred.js';
import { toError } from '../../base/errors.js';
import type { CommittedChain } from '../../chain/committed-chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { SignedTransaction } from '../../generated/ledger.js';
import type { TxByHashResult, TxStatus, TxSubmitArgs } from '../../generated/node-rpc-v1.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { transactionHashHex } from '../../ledger/hex-types.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import {
  envelopeFromEncoded,
  isOpen,
  opensAt,
  type TransactionEnvelope,
  transactionFromEncoded,
  transactionFromSigned,
} from '../../ledger/transaction-envelope.js';
import type { Admission } from '../../mempool/admission.js';
import { bundleOf } from '../../mempool/bundles/bundle.js';
import { NEVER_OPENED, reasonName } from '../../mempool/errors.js';
import type { InclusionWaiters } from '../../mempool/inclusion-waiters.js';
import type { Mempool } from '../../mempool/pool.js';
import type { PendingTransaction } from '../../mempool/pool-types.js';
import { latin1 } from '../../storage/latin1.js';
import { invalidParams, RpcError } from '../errors.js';
import { EncodedResult, type HandlerContext, type MethodHandlers, Parked } from '../handlers.js';
import { clientOf } from '../limits/client-of.js';
import { oldestHeight, type ReceiptSources, receiptOf, withReceipt } from './receipts.js';

const DEFAULT_WAIT_MS = 10_000;
const MAX_WAIT_MS = 60_000;

export interface TransactionSources extends ReceiptSources {
  readonly crypto: Crypto;
  readonly pool: Mempool;
  readonly admission: Pick<Admission, 'enter' | 'submit' | 'submitBundle'>;
  /** Whether sealed transactions can be opened; the node's admission uses the same value. */
  readonly canOpen: boolean;
  readonly maxBundleTransactions: number;
  /** Looks up transactions that this node does not know; absent on a node without an upstream. */
  readonly findUpstream?: (hash: Uint8Array) => Promise<TxByHashResult | undefined>;
  readonly waiters: InclusionWaiters;
}

export function transactionHandlers(sources: TransactionSources) {
  const { crypto, blocks, admission, findUpstream, waiters, chain } = sources;
  const submitAndWait = async (transaction: TransactionEnvelope, timeoutMs: number, call: HandlerContext) => {
    const { hash, hashHex } = transaction;
    // The client's address is available only while the connection is open.
    const client = clientOf(call);
    await admission.submit(transaction, call);
    const answer = async () => {
      const result = { tx_hash: hash, status: statusOf(sources, hash) };
      // Skips reading the receipt if the client is gone.
      const receipt = call.signal.aborted ? undefined : await receiptOf(sources, hash, call);
      if (receipt === undefined) return result;
      return withReceipt(rpcTypes.TxSubmitResult.toJson(result), receipt);
    };
    // The transaction may already be in a block if another node submitted it.
    if (blocks.positionOf(hash) !== undefined) return answer();
    return new Parked(waiters.wait(hashHex, { client, timeoutMs, signal: call.signal }), answer);
  };
  return {
    tx_submit: (args: TxSubmitArgs | ForwardedSubmission, call) => {
      const transaction = submitted(crypto, args);
      if ((args.wait?.type ?? 'none') !== 'none') {
        return submitAndWait(transaction, Math.min(args.timeout_ms ?? DEFAULT_WAIT_MS, MAX_WAIT_MS), call);
      }
      const later = new Deferred<EncodedResult | Error>();
      admission.enter(transaction, call, {
        resolve: (pending) => later.resolve(acknowledgement(pending)),
        reject: (error) => later.resolve(toError(error)),
      });
      return later;
    },

    tx_submit_sealed: async ({ envelope }, call) => {
      const transaction = decoded(envelopeFromEncoded, envelope, crypto, 'SignedEnvelope', 'params.envelope');
      const opens_at = opensAt(transaction.signed.transaction);
      if (opens_at === undefined) throw new Error('the decoded envelope has no opens_at');
      if (!sources.canOpen) throw new RpcError('not_ready', NEVER_OPENED, { reasons: [NEVER_OPENED] });
      await admission.submit(transaction, call);
      return { envelope_hash: transaction.hash, opens_at };
    },

    tx_submit_bundle: async ({ transactions, max_height }, call) => {
      expectBundleLength(transactions.length, sources.maxBundleTransactions);
      const members = transactions.map((encoded, index) =>
        signedTransaction(encoded, crypto, `params.transactions[${index}]`),
      );
      const bundle = bundleOf(members, max_height, crypto);
      await admission.submitBundle(bundle, call);
      return { bundle_hash: bundle.hash, tx_hashes: bundle.transactions.map(({ hash }) => hash) };
    },

    tx_by_hash: ({ tx_hash }) => {
      const status = statusOf(sources, tx_hash);
      if (status.type === 'not_found' && findUpstream !== undefined) {
        return findUpstream(tx_hash).then((found) => found ?? { status, ...oldestHeight(chain) });
      }
      if (status.type === 'not_found') return { status, ...oldestHeight(chain) };
      const transaction = findTransaction(sources, tx_hash);
      return { status, ...(transaction === undefined ? {} : { transaction }) };
    },
  } satisfies Partial<MethodHandlers>;
}

/** @throws RpcError */
function expectBundleLength(length: number, limit: number): void {
  if (length === 0) throw invalidParams('params.transactions', 'at least one transaction', 'none');
  if (length <= limit) return;
  const message = `a bundle has at most ${limit} transactions, got ${length}`;
  throw new RpcError('limit_exceeded', message, { subject: 'bundle_transactions', limit, given: length });
}

/** Decodes a parameter in Borsh. @param path such as `params.encoded` @throws RpcError `invalid_params` */
function decoded<T>(
  decode: (encoded: Uint8Array, crypto: Crypto) => T,
  encoded: Uint8Array,
  crypto: Crypto,
  type: string,
  path: string,
): T {
  try {
    return decode(encoded, crypto);
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    throw invalidParams(path, `borsh(${type})`, error.message);
  }
}

function signedTransaction(encoded: Uint8Array, crypto: Crypto, path: string): TransactionEnvelope {
  return decoded(transactionFromEncoded, encoded, crypto, 'SignedTransaction', path);
}

/** Arguments of tx_submit as another thread sends them. */
export interface ForwardedSubmission extends Omit<TxSubmitArgs, 'encoded'> {
  /** One character per byte, because posting a string allocates no buffer. */
  readonly encoded: string;
}

/** The arguments in the form in which they reach the main thread fastest. */
export function forwardedSubmission(args: TxSubmitArgs): TxSubmitArgs | ForwardedSubmission {
  return args.encoded === undefined ? args : { ...args, encoded: latin1(args.encoded) };
}

function submitted(
  crypto: Crypto,
  { encoded, signed }: TxSubmitArgs | ForwardedSubmission,
): TransactionEnvelope {
  if (encoded !== undefined && signed !== undefined) {
    throw invalidParams('params', 'exactly one of encoded and signed', 'both');
  }
  if (signed !== undefined) return transactionFromSigned(signed, crypto);
  if (encoded === undefined) throw invalidParams('params', 'exactly one of encoded and signed', 'neither');
  const bytes = typeof encoded === 'string' ? ownBytes(encoded) : encoded;
  return signedTransaction(bytes, crypto, 'params.encoded');
}

/** Not from Node's buffer pool: one transaction that waits for long would keep 8 KiB of it. */
function ownBytes(latin1Text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(latin1Text.length);
  bytes.write(latin1Text, 'latin1');
  return bytes;
}

function acknowledgement(pending: PendingTransaction): EncodedResult {
  const result = { tx_hash: pending.transaction.hash, status: pendingStatus(pending) };
  return new EncodedResult(rpcTypes.TxSubmitResult.toJson(result));
}

function pendingStatus({ transaction, ready, receivedMs }: PendingTransaction): TxStatus {
  const { lane, nonce } = transaction.signed.transaction;
  return { type: 'pending', value: { lane, nonce, ready, received_ms: BigInt(receivedMs) } };
}

/** The status of a transaction. The pool is asked first: it drops transactions only after their block is committed. */
function statusOf({ pool, blocks, chain }: TransactionSources, hash: Uint8Array): TxStatus {
  const hex = transactionHashHex(hash);
  const pending = pool.get(hex);
  if (pending !== undefined) return pendingStatus(pending);
  const included = includedStatus(blocks, chain, hash);
  if (included !== undefined) return included;
  const removal = pool.removal(hex);
  if (removal !== undefined) {
    return { type: 'rejected', value: `${reasonName(removal.reason)}: ${removal.message}` };
  }
  return { type: 'not_found' };
}

function findTransaction(
  { pool, blocks }: TransactionSources,
  hash: Uint8Array,
): SignedTransaction | undefined {
  const signed = pool.get(transactionHashHex(hash))?.transaction.signed;
  if (signed === undefined) return includedTransaction(blocks, hash);
  return isOpen(signed) ? signed : undefined;
}

/** The status of a transaction that is in a committed block; undefined for any other. */
export function includedStatus(
  blocks: BlockReader,
  { finalizedHeight }: CommittedChain,
  hash: Uint8Array,
): TxStatus | undefined {
  const place = blocks.positionOf(hash);
  const block = place === undefined ? undefined : blocks.header(place.height);
  if (place === undefined || block === undefined) return undefined;
  const { height, index } = place;
  const finalized = height <= finalizedHeight;
  return { type: 'included', value: { height, block_hash: block.hash, index, finalized } };
}

/** A transaction that is in a block; undefined if it is sealed or in no block. */
export function includedTransaction(blocks: BlockReader, hash: Uint8Array): SignedTransaction | undefined {
  const place = blocks.positionOf(hash);
  const signed = place === undefined ? undefined : blocks.candidate(place);
  return signed === undefined || !isOpen(signed) ? undefined : signed;
}
