import type { BlockReader, StoredHeader } from '../block-store.js';
import { ledger } from '../codecs.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import { checkResponseSize } from '../response-limit.js';
import { rpcTypes } from '../rpc-codecs.js';
import { execStatus } from '../stored-receipt.js';
import { isOpen } from '../transaction-envelope.js';
import { interfacesOf } from './action-interfaces.js';
import { blockSummary } from './block-summary.js';

/** Consecutive heights that exist, ascending, both ends included, and where the caller's own range ends. */
export interface HeightRange {
  readonly from: bigint;
  readonly to: bigint;
  /** The last height asked for that exists; beyond `to` where the range was cut. */
  readonly end: bigint;
  /** An answer ends before the block that would make it longer, in bytes of JSON; its first is always there. */
  readonly maxLength: number;
  readonly finalizedHeight: bigint;
}

/** JSON of GetBlocksResult. */
export function getBlocks(reader: BlockReader, range: HeightRange): string {
  return pageOf('blocks', reader, range, (stored) => {
    const { header, hash } = stored;
    return [
      rpcTypes.Block.toJson({
        hash,
        header,
        items: reader.encodedItems(header.height).map((item) => ledger.BlockItem.decode(item)),
        finalized: header.height <= range.finalizedHeight,
      }),
    ];
  });
}

/** JSON of GetBlockSummariesResult. */
export function getBlockSummaries(reader: BlockReader, range: HeightRange): string {
  return pageOf('blocks', reader, range, (stored) => [
    rpcTypes.BlockSummary.toJson(blockSummary(stored, range.finalizedHeight)),
  ]);
}

/**
 * JSON of GetTxsInRangeResult.
 * @throws ResponseTooLargeError where the first block's transactions are longer together than an answer may be
 */
export function getTransactionsInRange(
  reader: BlockReader,
  range: HeightRange,
  interfaces: ContractInterfaces,
): string {
  return pageOf('transactions', reader, range, (stored) =>
    transactionsOf(stored, reader, range.maxLength, interfaces),
  );
}

/** One after the other: no more are made than the page has room for. */
function* transactionsOf(
  { header: { height }, openingCount, receiptCount }: StoredHeader,
  reader: BlockReader,
  maxLength: number,
  interfaces: ContractInterfaces,
): Generator<string> {
  if (receiptCount === openingCount) return;
  let length = 0;
  for (const [index, receipt] of reader.receipts(height).entries()) {
    // What was opened is under no signature of its own.
    if (index < openingCount) continue;
    const transaction = reader.candidate({ height, index });
    if (transaction === undefined) throw new Error(`block ${height}: receipt ${index} is of nothing`);
    if (!isOpen(transaction)) continue;
    const { action } = transaction.transaction;
    // What a block holds is bounded, but not what interfaces make of it.
    const isLong = length > maxLength;
    const entry = rpcTypes.RangeTx.toJson({
      tx_hash: receipt.receipt.tx_hash,
      height,
      index,
      transaction,
      status: execStatus(receipt, () =>
        isLong ? [] : interfacesOf(action, receipt.details, height, interfaces),
      ),
      gas_used: receipt.receipt.gas_used,
    });
    yield entry;
    // Whoever asks for more has no page to end before this block.
    length += entry.length;
    checkResponseSize(length);
  }
}

/** Headers are read in portions, so that a range that is cut early costs what it answers. */
const PORTION = 64n;

function pageOf(
  member: string,
  reader: BlockReader,
  range: HeightRange,
  entriesOf: (stored: StoredHeader) => Iterable<string>,
): string {
  const entries: string[] = [];
  let length = 0;
  let next = range.from;
  let full = false;
  while (next <= range.to && !full) {
    const heights: bigint[] = [];
    for (let height = next; height <= range.to && height < next + PORTION; height += 1n) heights.push(height);
    for (const stored of reader.headers(heights)) {
      const added: string[] = [];
      let addedLength = 0;
      for (const entry of entriesOf(stored)) {
        addedLength += Buffer.byteLength(entry) + 1;
        full = entries.length > 0 && length + addedLength > range.maxLength;
        if (full) break;
        added.push(entry);
      }
      if (full) break;
      for (const entry of added) entries.push(entry);
      length += addedLength;
      next = stored.header.height + 1n;
    }
  }
  const rest = next <= range.end ? `,"next_height":${next}` : '';
  return `{"${member}":[${entries.join(',')}]${rest}}`;
}
