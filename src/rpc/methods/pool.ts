import type { PendingSummary } from '../../generated/node-rpc-v1.js';
import { addressHex } from '../../ledger/hex-types.js';
import { actionKind } from '../../ledger/queries/tx-summary.js';
import { opensAt } from '../../ledger/transaction-envelope.js';
import type { Mempool } from '../../mempool/pool.js';
import type { PendingTransaction } from '../../mempool/pool-types.js';
import type { MethodHandlers } from '../handlers.js';
import { pageLimit } from './page-arguments.js';

export function poolHandlers(pool: Mempool, maxPageSize: number) {
  return {
    list_pending_txs: ({ sender, cursor, limit }) => {
      const page = pool.list({
        ...(sender === undefined ? {} : { sender: addressHex(sender) }),
        ...(cursor === undefined ? {} : { cursor }),
        limit: pageLimit(limit, maxPageSize),
      });
      return {
        transactions: page.transactions.map(pendingSummary),
        ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
      };
    },
    txpool_stats: () => {
      const { bytes, sealed, minFee: min_fee, baseFee: base_fee, ...counts } = pool.stats();
      const { nextOpenHeight: next_open_height } = sealed;
      return {
        ...counts,
        bytes: BigInt(bytes),
        sealed: {
          size: sealed.size,
          bytes: BigInt(sealed.bytes),
          ...(next_open_height === undefined ? {} : { next_open_height }),
        },
        min_fee,
        base_fee,
      };
    },
  } satisfies Partial<MethodHandlers>;
}

export function pendingSummary({ transaction, ready, receivedMs }: PendingTransaction): PendingSummary {
  const { transaction: tx } = transaction.signed;
  const opens_at = opensAt(tx);
  return {
    tx_hash: transaction.hash,
    sender: tx.sender,
    lane: tx.lane,
    nonce: tx.nonce,
    ready,
    kind: actionKind(tx.action),
    max_fee: tx.max_fee,
    priority_fee: tx.priority_fee,
    gas_limit: tx.gas_limit,
    bytes: transaction.encoded.length,
    received_ms: BigInt(receivedMs),
    ...(opens_at === undefined ? {} : { opens_at }),
  };
}
