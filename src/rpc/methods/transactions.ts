import type { Chain } from '../../chain/chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { ExecutionPool } from '../../execution/pool/execution-pool.js';
import type { SignedTransaction } from '../../generated/ledger.js';
import type { TxByHashResult, TxStatus, TxSubmitArgs } from '../../generated/node-rpc-v1.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import type { BlockReader } from '../../ledger/block-store.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { transactionHashHex } from '../../ledger/hex-names.js';
import type { TransactionPlace } from '../../ledger/keys.js';
import { receiptView } from '../../ledger/queries/receipt-view.js';
import { readIncluded } from '../../ledger/queries/tx-summary.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import {
  isOpen,
  type TransactionEnvelope,
  transactionFromEncoded,
  transactionFromSigned,
} from '../../ledger/transaction-envelope.js';
import type { Admission } from '../../mempool/admission.js';
import type { InclusionWaiters } from '../../mempool/inclusion-waiters.js';
import type { Mempool } from '../../mempool/pool.js';
import type { PendingTransaction } from '../../mempool/pool-types.js';
import { clientOf } from '../client-of.js';
import { invalidParams } from '../errors.js';
import { EncodedResult, type MethodHandlers, Parked } from '../handlers.js';

const DEFAULT_WAIT_MS = 10_000;
const MAX_WAIT_MS = 60_000;

/** What the transaction methods look at. */
export interface TransactionSources {
  readonly chain: Chain;
  readonly crypto: Crypto;
  readonly blocks: BlockReader;
  readonly pool: Mempool;
  readonly admission: Pick<Admission, 'submit'>;
  /** Where a transaction is that this node does not know; absent on a node that needs to ask nobody. */
  readonly findElsewhere?: (hash: Uint8Array) => Promise<TxByHashResult | undefined>;
  readonly waiters: InclusionWaiters;
  readonly workers: ExecutionPool;
  /** Of the main thread. */
  readonly interfaces: ContractInterfaces;
}

export type TransactionHandlers = Pick<MethodHandlers, 'tx_submit' | 'tx_by_hash' | 'tx_receipt'>;

export function transactionHandlers(sources: TransactionSources): TransactionHandlers {
  const { crypto, blocks, admission, findElsewhere, waiters, workers, chain } = sources;
  return {
    tx_submit: async (args, call) => {
      const transaction = submitted(crypto, args);
      const { hash, hashHex } = transaction;
      const wait = args.wait?.type ?? 'none';
      // Who calls is known only while the connection is there.
      const client = wait === 'none' ? undefined : clientOf(call);
      const pending = await admission.submit(transaction);
      if (client === undefined) return { tx_hash: hash, status: pendingStatus(pending) };
      const answer = async () => {
        const result = { tx_hash: hash, status: statusOf(sources, hash) };
        // Where nobody is there to be told, nothing more is looked up.
        const receipt = call.signal.aborted ? undefined : await receiptOf(sources, hash);
        if (receipt === undefined) return result;
        return withReceipt(rpcTypes.TxSubmitResult.toJson(result), receipt);
      };
      // It may be in a block already where another node took it.
      if (blocks.placeOf(hash) !== undefined) return answer();
      const timeoutMs = Math.min(args.timeout_ms ?? DEFAULT_WAIT_MS, MAX_WAIT_MS);
      return new Parked(waiters.wait(hashHex, { client, timeoutMs, signal: call.signal }), answer);
    },

    tx_by_hash: ({ tx_hash }) => {
      const status = statusOf(sources, tx_hash);
      if (status.type === 'not_found' && findElsewhere !== undefined) {
        return findElsewhere(tx_hash).then((found) => found ?? { status, ...oldestHeight(chain) });
      }
      if (status.type === 'not_found') return { status, ...oldestHeight(chain) };
      const transaction = findTransaction(sources, tx_hash);
      return { status, ...(transaction === undefined ? {} : { transaction }) };
    },

    tx_receipt: async ({ tx_hash, with_proof }) => {
      const place = blocks.receiptPlaceOf(tx_hash);
      if (with_proof === true && place !== undefined) {
        const { finalizedHeight } = chain;
        return new EncodedResult(
          await workers.run('read', { kind: 'proved_receipt', place, finalizedHeight }),
        );
      }
      const receipt = await receiptOf(sources, tx_hash);
      return receipt === undefined ? oldestHeight(chain) : withReceipt('{}', receipt);
    },
  };
}

/** Below which height nothing is known here, where there is such a height. */
function oldestHeight({ firstHeight }: Chain): { readonly oldest_height?: bigint } {
  return firstHeight === 0n ? {} : { oldest_height: firstHeight };
}

function submitted(crypto: Crypto, { encoded, signed }: TxSubmitArgs): TransactionEnvelope {
  if (encoded !== undefined && signed !== undefined) {
    throw invalidParams('params', 'exactly one of encoded and signed', 'both');
  }
  if (signed !== undefined) return transactionFromSigned(signed, crypto);
  if (encoded === undefined) throw invalidParams('params', 'exactly one of encoded and signed', 'neither');
  try {
    return transactionFromEncoded(encoded, crypto);
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    throw invalidParams('params.encoded', 'borsh(SignedTransaction)', error.message);
  }
}

function pendingStatus({ transaction, ready, receivedMs }: PendingTransaction): TxStatus {
  const { lane, nonce } = transaction.signed.transaction;
  return { type: 'pending', value: { lane, nonce, ready, received_ms: BigInt(receivedMs) } };
}

/** Where the transaction is. The pool is asked first: it gives a transaction up only once its block is committed. */
function statusOf({ pool, blocks, chain }: TransactionSources, hash: Uint8Array): TxStatus {
  const hex = transactionHashHex(hash);
  const pending = pool.get(hex);
  if (pending !== undefined) return pendingStatus(pending);
  const place = blocks.placeOf(hash);
  const block = place === undefined ? undefined : blocks.header(place.height);
  if (place !== undefined && block !== undefined) {
    const { height, index } = place;
    const finalized = height <= chain.finalizedHeight;
    return { type: 'included', value: { height, block_hash: block.hash, index, finalized } };
  }
  const departure = pool.departure(hex);
  if (departure !== undefined) {
    return { type: 'rejected', value: `${departure.reason}: ${departure.message}` };
  }
  return { type: 'not_found' };
}

function findTransaction(
  { pool, blocks }: TransactionSources,
  hash: Uint8Array,
): SignedTransaction | undefined {
  const pending = pool.get(transactionHashHex(hash));
  const place = blocks.placeOf(hash);
  const signed = pending?.transaction.signed ?? (place === undefined ? undefined : blocks.candidate(place));
  return signed === undefined || !isOpen(signed) ? undefined : signed;
}

/**
 * The JSON of a transaction's receipt. A transfer's is made here; one of a transaction that runs code may be long and has
 * to be decoded, so a worker makes it.
 */
async function receiptOf(
  { blocks, chain, interfaces, workers }: TransactionSources,
  hash: Uint8Array,
): Promise<string | undefined> {
  const place = blocks.receiptPlaceOf(hash);
  if (place === undefined || place.height > chain.tip.header.height) return undefined;
  const { finalizedHeight } = chain;
  if (isTransfer(blocks, place)) {
    for (const included of readIncluded(blocks, [place])) {
      return rpcTypes.Receipt.toJson(receiptView(included, finalizedHeight, interfaces));
    }
  }
  return workers.run('read', { kind: 'receipt', place, finalizedHeight });
}

function isTransfer(blocks: BlockReader, place: TransactionPlace): boolean {
  return blocks.candidate(place)?.transaction.action.type === 'transfer';
}

/** The JSON of a result with its last member, the receipt. */
function withReceipt(result: string, receipt: string): EncodedResult {
  const others = result.slice(0, -1);
  return new EncodedResult(`${others}${others === '{' ? '' : ','}"receipt":${receipt}}`);
}
