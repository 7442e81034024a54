import type { Caller } from '../../async/caller.js';
import type { CommittedChain } from '../../chain/committed-chain.js';
import type { Reads } from '../../execution/calls/reads.js';
import type { BlockReader } from '../../ledger/block-store.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import type { TransactionPosition } from '../../ledger/keys.js';
import { receiptView } from '../../ledger/queries/receipt-view.js';
import { readIncluded } from '../../ledger/queries/tx-summary.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';

/** What receipts are made from. */
export interface ReceiptSources {
  readonly chain: CommittedChain;
  readonly blocks: BlockReader;
  readonly reads: Reads;
  /** Of this thread. */
  readonly interfaces: ContractInterfaces;
}

export function receiptHandlers(sources: ReceiptSources): Pick<MethodHandlers, 'tx_receipt'> {
  const { blocks, reads, chain } = sources;
  return {
    tx_receipt: async ({ tx_hash, with_proof }, call) => {
      const place = blocks.receiptPositionOf(tx_hash);
      if (with_proof === true && place !== undefined) {
        const { finalizedHeight } = chain;
        return new EncodedResult(await reads.read({ kind: 'proved_receipt', place, finalizedHeight }, call));
      }
      const receipt = await receiptOf(sources, tx_hash, call);
      return receipt === undefined ? oldestHeight(chain) : withReceipt('{}', receipt);
    },
  };
}

/** Below which height nothing is known here, where there is such a height. */
export function oldestHeight({ firstHeight }: Pick<CommittedChain, 'firstHeight'>): {
  readonly oldest_height?: bigint;
} {
  return firstHeight === 0n ? {} : { oldest_height: firstHeight };
}

/**
 * The JSON of a transaction's receipt. A transfer's is made here; one of a transaction that runs code may be long and has
 * to be decoded, so a worker makes it.
 */
export async function receiptOf(
  { blocks, chain, interfaces, reads }: ReceiptSources,
  hash: Uint8Array,
  caller: Caller,
): Promise<string | undefined> {
  const place = blocks.receiptPositionOf(hash);
  if (place === undefined || place.height > chain.tip.header.height) return undefined;
  const { finalizedHeight } = chain;
  if (isTransfer(blocks, place)) {
    for (const included of readIncluded(blocks, [place])) {
      return rpcTypes.Receipt.toJson(receiptView(included, finalizedHeight, interfaces));
    }
  }
  return reads.read({ kind: 'receipt', place, finalizedHeight }, caller);
}

function isTransfer(blocks: BlockReader, place: TransactionPosition): boolean {
  return blocks.candidate(place)?.transaction.action.type === 'transfer';
}

/** The JSON of a result with its last member, the receipt. */
export function withReceipt(result: string, receipt: string): EncodedResult {
  const others = result.slice(0, -1);
  return new EncodedResult(`${others}${others === '{' ? '' : ','}"receipt":${receipt}}`);
}
