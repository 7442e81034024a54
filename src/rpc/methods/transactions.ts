import type { Crypto } from '../../crypto/crypto.js';
import type { SignedTransaction } from '../../generated/ledger.js';
import type { TxByHashResult, TxStatus, TxSubmitArgs } from '../../generated/node-rpc-v1.js';
import { transactionHashHex } from '../../ledger/hex-types.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import {
  isOpen,
  type TransactionEnvelope,
  transactionFromEncoded,
  transactionFromSigned,
} from '../../ledger/transaction-envelope.js';
import type { Admission } from '../../mempool/admission.js';
import { reasonName } from '../../mempool/errors.js';
import type { InclusionWaiters } from '../../mempool/inclusion-waiters.js';
import type { Mempool } from '../../mempool/pool.js';
import type { PendingTransaction } from '../../mempool/pool-types.js';
import { invalidParams } from '../errors.js';
import { type MethodHandlers, Parked } from '../handlers.js';
import { clientOf } from '../limits/client-of.js';
import { decodedParam } from './decoded-param.js';
import { includedStatus, includedTransaction } from './included.js';
import { oldestHeight, type ReceiptSources, receiptOf, withReceipt } from './receipts.js';

const DEFAULT_WAIT_MS = 10_000;
const MAX_WAIT_MS = 60_000;

export interface TransactionSources extends ReceiptSources {
  readonly crypto: Crypto;
  readonly pool: Mempool;
  readonly admission: Pick<Admission, 'submit'>;
  /** Looks up transactions that this node does not know; absent on a node without an upstream. */
  readonly findUpstream?: (hash: Uint8Array) => Promise<TxByHashResult | undefined>;
  readonly waiters: InclusionWaiters;
}

export type TransactionHandlers = Pick<MethodHandlers, 'tx_submit' | 'tx_by_hash'>;

export function transactionHandlers(sources: TransactionSources): TransactionHandlers {
  const { crypto, blocks, admission, findUpstream, waiters, chain } = sources;
  return {
    tx_submit: async (args, call) => {
      const transaction = submitted(crypto, args);
      const { hash, hashHex } = transaction;
      const wait = args.wait?.type ?? 'none';
      // The client's address is available only while the connection is open.
      const client = wait === 'none' ? undefined : clientOf(call);
      const pending = await admission.submit(transaction, call);
      if (client === undefined) return { tx_hash: hash, status: pendingStatus(pending) };
      const answer = async () => {
        const result = { tx_hash: hash, status: statusOf(sources, hash) };
        // Skips reading the receipt if the client is gone.
        const receipt = call.signal.aborted ? undefined : await receiptOf(sources, hash, call);
        if (receipt === undefined) return result;
        return withReceipt(rpcTypes.TxSubmitResult.toJson(result), receipt);
      };
      // The transaction may already be in a block if another node submitted it.
      if (blocks.positionOf(hash) !== undefined) return answer();
      const timeoutMs = Math.min(args.timeout_ms ?? DEFAULT_WAIT_MS, MAX_WAIT_MS);
      return new Parked(waiters.wait(hashHex, { client, timeoutMs, signal: call.signal }), answer);
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
  };
}

function submitted(crypto: Crypto, { encoded, signed }: TxSubmitArgs): TransactionEnvelope {
  if (encoded !== undefined && signed !== undefined) {
    throw invalidParams('params', 'exactly one of encoded and signed', 'both');
  }
  if (signed !== undefined) return transactionFromSigned(signed, crypto);
  if (encoded === undefined) throw invalidParams('params', 'exactly one of encoded and signed', 'neither');
  return decodedParam(transactionFromEncoded, encoded, crypto, 'SignedTransaction', 'params.encoded');
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
