import { EMPTY_ACCOUNT } from '../ledger/accounts.js';
import { ledger } from '../ledger/codecs.js';
import { SLOT_NAME_BYTES } from './access-recorder.js';
import type { Candidates } from './atomic-groups.js';
import type { ExecutedBlock } from './block-execution.js';
import {
  decodeByteStrings,
  encodeByteStrings,
  FlatReader,
  FlatWriter,
  readPayment,
  writePayment,
} from './parallel/flat-bytes.js';
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

export interface PackedCandidates {
  /** borsh(BlockItem) of each; see `encodeByteStrings`. */
  readonly transactions: Uint8Array;
  readonly bundles: Bundles;
}

export interface PackedBlock
  extends Omit<ExecutedBlock, 'receipts' | 'storedReceipts' | 'writes' | 'events' | 'payments' | 'parallel'> {
  /** The receipts, the stored receipts, the writes, the events and the payments. */
  readonly packed: Uint8Array;
}

/** @param transactions borsh(BlockItem) each */
export function packCandidates({ transactions, bundles }: Candidates<Uint8Array>): PackedCandidates {
  return { transactions: encodeByteStrings(transactions), bundles };
}

/** Decodes the candidates. The items are views of the buffer. */
export function unpackCandidates({ transactions, bundles }: PackedCandidates): Candidates<Uint8Array> {
  return { transactions: decodeByteStrings(transactions), bundles };
}

export function packBlock(block: ExecutedBlock): PackedBlock {
  const { receipts, storedReceipts, writes, events, payments, parallel: _, ...rest } = block;
  const writer = new FlatWriter();
  writer.list(receipts, (receipt) => writer.bytes(receipt));
  writer.list(storedReceipts, (receipt) => writer.bytes(receipt));
  writer.list(writes, ({ key, previous, value, account, name }) => {
    writer.raw(key);
    writer.bytes(previous);
    writer.bytes(value);
    writer.u8(account !== undefined ? ACCOUNT : name === undefined ? UNNAMED : SLOT);
    if (account !== undefined) writer.name(account.address);
    else if (name !== undefined) writer.raw(name);
  });
  writer.list(events, ({ index, logs }) => {
    writer.u32(index);
    writer.list(logs, ({ contract, topics, data }) => {
      writer.raw(contract);
      writer.list(topics, (topic) => writer.bytes(topic));
      writer.bytes(data);
    });
  });
  writer.list(payments, ({ index, paid }) => {
    writer.u32(index);
    writer.list(paid, (payment) => writePayment(writer, payment));
  });
  return { ...rest, packed: writer.finish() };
}

/** Decodes a block. Byte arrays are views of the buffer, except the keys of accounts, which outlive the block. */
export function unpackBlock(block: PackedBlock): ExecutedBlock {
  const { packed, excluded, failedBundles, gasUsed, codes, idls, contractTransactions } = block;
  const reader = new FlatReader(packed);
  return {
    excluded,
    failedBundles,
    receipts: reader.list(() => reader.present()),
    storedReceipts: reader.list(() => reader.present()),
    gasUsed,
    writes: reader.list(() => writeOf(reader)),
    codes,
    idls,
    contractTransactions,
    events: reader.list(() => ({
      index: reader.u32(),
      logs: reader.list(() => ({
        contract: reader.raw(20),
        topics: reader.list(() => reader.present()),
        data: reader.present(),
      })),
    })),
    payments: reader.list(() => ({ index: reader.u32(), paid: reader.list(() => readPayment(reader)) })),
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
