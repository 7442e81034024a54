import { EMPTY_ACCOUNT } from '../ledger/accounts.js';
import { ledger } from '../ledger/codecs.js';
import { SLOT_NAME_BYTES } from './access-recorder.js';
import type { Candidates } from './atomic-groups.js';
import type { ExecutedBlock } from './block-execution.js';
import { FlatReader, FlatWriter } from './parallel/flat-bytes.js';
import type { StateWrite } from './state-writes.js';

/*
 * The encoding of a whole block for a worker, and of the result: numerous items are packed in one buffer, see
 * `flat-bytes.ts`. As separate objects they would cost both threads and the garbage collector several microseconds
 * per transaction.
 */

/** Kinds of state write. */
const UNNAMED = 0;
const ACCOUNT = 1;
const SLOT = 2;

type Bundles = Candidates<unknown>['bundles'];

/** The candidates of a block. */
export interface PackedCandidates {
  /** borsh(BlockItem) of each, length-prefixed. */
  readonly transactions: Uint8Array;
  readonly bundles: Bundles;
}

/** The result of executing a block. */
export interface PackedBlock
  extends Omit<ExecutedBlock, 'receipts' | 'storedReceipts' | 'writes' | 'events' | 'payments' | 'parallel'> {
  /** Number of receipts, the receipts, the stored receipts, then writes, then events, then payments. */
  readonly packed: Uint8Array;
}

/** @param transactions borsh(BlockItem) each */
export function packCandidates({ transactions, bundles }: Candidates<Uint8Array>): PackedCandidates {
  const writer = new FlatWriter();
  for (const encoded of transactions) writer.bytes(encoded);
  return { transactions: writer.finish(), bundles };
}

/** Decodes the candidates. The items are views of the buffer. */
export function unpackCandidates({ transactions, bundles }: PackedCandidates): Candidates<Uint8Array> {
  const reader = new FlatReader(transactions);
  const items: Uint8Array[] = [];
  while (!reader.done) items.push(reader.bytes() ?? new Uint8Array(0));
  return { transactions: items, bundles };
}

export function packBlock(block: ExecutedBlock): PackedBlock {
  const { excluded, failedBundles, gasUsed, codes, idls, contractTransactions } = block;
  const { receipts, storedReceipts, writes, events, payments } = block;
  const writer = new FlatWriter();
  writer.u32(receipts.length);
  for (const receipt of receipts) writer.bytes(receipt);
  for (const receipt of storedReceipts) writer.bytes(receipt);
  writer.u32(writes.length);
  for (const { key, previous, value, account, name } of writes) {
    writer.raw(key);
    writer.bytes(previous);
    writer.bytes(value);
    writer.u8(account !== undefined ? ACCOUNT : name === undefined ? UNNAMED : SLOT);
    if (account !== undefined) writer.name(account.address);
    else if (name !== undefined) writer.raw(name);
  }
  writer.u32(events.length);
  for (const { index, logs } of events) {
    writer.u32(index);
    writer.u32(logs.length);
    for (const { contract, topics, data } of logs) {
      writer.raw(contract);
      writer.u32(topics.length);
      for (const topic of topics) writer.bytes(topic);
      writer.bytes(data);
    }
  }
  writer.u32(payments.length);
  for (const { index, paid } of payments) {
    writer.u32(index);
    writer.u32(paid.length);
    for (const { to, amount } of paid) {
      writer.name(to);
      writer.amount(amount);
    }
  }
  return { excluded, failedBundles, gasUsed, codes, idls, contractTransactions, packed: writer.finish() };
}

/** Decodes a block. Byte arrays are views of the buffer, except the keys of accounts, which outlive the block. */
export function unpackBlock(block: PackedBlock): ExecutedBlock {
  const { packed, excluded, failedBundles, gasUsed, codes, idls, contractTransactions } = block;
  const reader = new FlatReader(packed);
  const count = reader.u32();
  return {
    excluded,
    failedBundles,
    receipts: listOf(count, () => bytesOf(reader)),
    storedReceipts: listOf(count, () => bytesOf(reader)),
    gasUsed,
    writes: listOf(reader.u32(), () => writeOf(reader)),
    codes,
    idls,
    contractTransactions,
    events: listOf(reader.u32(), () => ({
      index: reader.u32(),
      logs: listOf(reader.u32(), () => ({
        contract: reader.raw(20),
        topics: listOf(reader.u32(), () => bytesOf(reader)),
        data: bytesOf(reader),
      })),
    })),
    payments: listOf(reader.u32(), () => ({
      index: reader.u32(),
      paid: listOf(reader.u32(), () => ({ to: reader.name(40), amount: reader.amount() })),
    })),
  };
}

function writeOf(reader: FlatReader): StateWrite {
  const key = reader.raw(32);
  const previous = reader.bytes();
  const value = reader.bytes();
  const kind = reader.u8();
  if (kind === UNNAMED) return { key, previous, value };
  if (kind === SLOT) return { key, previous, value, name: reader.raw(SLOT_NAME_BYTES) };
  const address = reader.name(40);
  const record = value === undefined ? EMPTY_ACCOUNT : ledger.AccountRecord.decode(value);
  return { key: Uint8Array.from(key), previous, value, account: { address, record } };
}

function bytesOf(reader: FlatReader): Uint8Array {
  return reader.bytes() ?? new Uint8Array(0);
}

function listOf<T>(count: number, read: () => T): T[] {
  return Array.from({ length: count }, read);
}
