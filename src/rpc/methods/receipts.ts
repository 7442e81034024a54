import type { Caller } from '../../async/caller.js';
import type { CommittedChain } from '../../chain/committed-chain.js';
import type { Reads } from '../../execution/calls/reads.js';
import type { BlockReader } from '../../ledger/block-store.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import type { TransactionPosition } from '../../ledger/position-index.js';
import { receiptView } from '../../ledger/queries/receipt-json.js';
import { readIncluded } from '../../ledger/queries/tx-summary.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';

export interface ReceiptSources {
  readonly chain: CommittedChain;
  readonly blocks: BlockReader;
  readonly reads: Reads;
  readonly interfaces: ContractInterfaces;
}

export function receiptHandlers(sources: ReceiptSources) {
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
  } satisfies Partial<MethodHandlers>;
}

export function oldestHeight({ firstHeight }: CommittedChain): {
  readonly oldest_height?: bigint;
} {
  return firstHeight === 0n ? {} : { oldest_height: firstHeight };
}

/** The JSON of a receipt. That of a transaction that runs code may be long, so a worker encodes it. */
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

/** Appends the receipt as the last member to the JSON of a result. */
export function withReceipt(result: string, receipt: string): EncodedResult {
  const others = result.slice(0, -1);
  return new EncodedResult(`${others}${others === '{' ? '' : ','}"receipt":${receipt}}`);
}
