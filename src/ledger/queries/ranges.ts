import { checkAnswerSize } from '../../base/answer-limit.js';
import type { BlockReader, StoredHeader } from '../block-store.js';
import { ledger } from '../codecs.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import { rpcTypes } from '../rpc-codecs.js';
import { execStatus } from '../stored-receipt.js';
import { isOpen } from '../transaction-envelope.js';
import { interfacesOf } from './action-interfaces.js';
import { blockSummary } from './block-summary.js';

/** Consecutive existing heights, ascending and inclusive, and the last height of the request. */
export interface HeightRange {
  readonly from: bigint;
  readonly to: bigint;
  /** Above `to` if the range was cut, or if blocks of it do not exist yet. */
  readonly end: bigint;
  /** Maximum length of the response's JSON, in bytes; the first block is included regardless. */
  readonly maxLength: number;
  readonly finalizedHeight: bigint;
}

/** JSON of GetBlocksResult. */
export function getBlocks(reader: BlockReader, range: HeightRange): string {
  return pageOf('blocks', reader, range, (stored) => {
    const { header, hash } = stored;
    const items = reader.encodedItems(header.height).map((item) => ledger.BlockItem.decode(item));
    const finalized = header.height <= range.finalizedHeight;
    return [rpcTypes.Block.toJson({ hash, header, items, finalized })];
  });
}

/** JSON of GetBlockSummariesResult. */
export function getBlockSummaries(reader: BlockReader, range: HeightRange): string {
  return pageOf('blocks', reader, range, (stored) => [
    rpcTypes.BlockSummary.toJson(blockSummary(stored, range.finalizedHeight)),
  ]);
}

/** JSON of GetTxsInRangeResult. @throws AnswerTooLongError if the first block alone exceeds the limit */
export function getTransactionsInRange(
  reader: BlockReader,
  range: HeightRange,
  interfaces: ContractInterfaces,
): string {
  const entriesOf = (stored: StoredHeader) => transactionsOf(stored, reader, range.maxLength, interfaces);
  return pageOf('transactions', reader, range, entriesOf);
}

/** Renders transactions lazily, so that only those that fit the page are rendered. */
function* transactionsOf(
  { header: { height }, openingCount, receiptCount }: StoredHeader,
  reader: BlockReader,
  maxLength: number,
  interfaces: ContractInterfaces,
): Generator<string> {
  if (receiptCount === openingCount) return;
  let length = 0;
  for (const [index, receipt] of reader.receipts(height).entries()) {
    // An opened transaction has no separate signature.
    if (index < openingCount) continue;
    const transaction = reader.candidate({ height, index });
    if (transaction === undefined) throw new Error(`block ${height}: receipt ${index} has no transaction`);
    if (!isOpen(transaction)) continue;
    const { action } = transaction.transaction;
    // A block's contents are bounded, but their decoding by contract interfaces is not.
    const isLong = length > maxLength;
    const entry = rpcTypes.RangeTx.toJson({
      tx_hash: receipt.head.tx_hash,
      height,
      index,
      transaction,
      status: execStatus(receipt.head, receipt.details, () =>
        isLong ? [] : interfacesOf(action, receipt.details, receipt.head.output, height, interfaces),
      ),
      gas_used: receipt.head.gas_used,
    });
    yield entry;
    // Only the first block of a page is read past `maxLength`, so its transactions must fit in the response.
    length += entry.length;
    checkAnswerSize(length);
  }
}

/** Headers per read: a range that is cut early reads little more than it returns. */
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
