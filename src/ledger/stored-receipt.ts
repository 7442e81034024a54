import { Packr } from 'msgpackr';
import type { LedgerReceipt } from '../generated/ledger.js';
import type { ExecStatus } from '../generated/node-rpc-v1.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { ledger } from './codecs.js';
import { revertOf } from './contract-decoding.js';
import { receiptHead } from './receipt-logs.js';

/** Execution details that are stored with a receipt but not hashed into the chain. */
export interface ReceiptDetails {
  /** Why the transaction failed. */
  readonly message?: string;
  readonly trap?: { readonly kind: string; readonly backtrace: readonly string[] };
  /** The called contract that raised the revert, 20 bytes; absent if it was the outermost. */
  readonly raisedBy?: Uint8Array;
  readonly opening?: OpeningDetails;
}

/** An opening, as needed to show or re-execute it. */
export interface OpeningDetails {
  readonly pending: Uint8Array;
  /** borsh(Action); absent if the envelope failed to open. */
  readonly action?: Uint8Array;
}

/** A receipt as stored: le32(length) ‖ borsh(LedgerReceipt) ‖ msgpack(details), with empty details omitted. */
export interface StoredReceipt {
  readonly receipt: LedgerReceipt;
  /** The receipt without its events, which take far longer to decode than the rest. */
  readonly head: ReceiptHead;
  /** borsh(LedgerReceipt): a leaf of receipts_root. */
  readonly encoded: Uint8Array;
  readonly details: ReceiptDetails;
}

export type ReceiptHead = Omit<LedgerReceipt, 'logs'>;

const packr = new Packr({ useRecords: false });
const NO_DETAILS = new Uint8Array(0);

export function encodeStoredReceipt(encoded: Uint8Array, details: ReceiptDetails): Uint8Array {
  const isEmpty =
    details.message === undefined && details.raisedBy === undefined && details.opening === undefined;
  const side = isEmpty ? NO_DETAILS : packr.pack(details);
  const stored = Buffer.allocUnsafe(4 + encoded.length + side.length);
  stored.writeUInt32LE(encoded.length);
  stored.set(encoded, 4);
  stored.set(side, 4 + encoded.length);
  return stored;
}

/** borsh(LedgerReceipt), as a view into the stored bytes. */
export function receiptOf(stored: Uint8Array): Uint8Array {
  const length = new DataView(stored.buffer, stored.byteOffset, stored.byteLength).getUint32(0, true);
  return stored.subarray(4, 4 + length);
}

export function decodeStoredReceipt(stored: Uint8Array): StoredReceipt {
  const encoded = receiptOf(stored);
  const side = stored.subarray(4 + encoded.length);
  const details: ReceiptDetails = side.length === 0 ? {} : packr.unpack(side);
  return new ReadReceipt(encoded, details);
}

/** Decodes on first access: summaries show no events, and a trace only compares bytes. */
class ReadReceipt implements StoredReceipt {
  #receipt: LedgerReceipt | undefined;
  #head: ReceiptHead | undefined;

  constructor(
    readonly encoded: Uint8Array,
    readonly details: ReceiptDetails,
  ) {}

  get receipt(): LedgerReceipt {
    this.#receipt ??= ledger.LedgerReceipt.decode(this.encoded);
    return this.#receipt;
  }

  get head(): ReceiptHead {
    this.#head ??= this.#receipt ?? receiptHead(this.encoded);
    return this.#head;
  }
}

/** The transaction hash of a stored receipt, 32 bytes: the first member of LedgerReceipt. */
export function hashOfStoredReceipt(stored: Uint8Array): Uint8Array {
  return stored.subarray(4, 36);
}

/** A stored receipt's status, as shown by the API. @param abis that may declare the error of a revert */
export function execStatus(
  { outcome: { type: outcome }, output }: Pick<LedgerReceipt, 'outcome' | 'output'>,
  details: ReceiptDetails,
  abis: () => readonly ContractAbi[],
): ExecStatus {
  const message = details.message ?? '';
  switch (outcome) {
    case 'success':
    case 'out_of_gas':
      return { type: outcome };
    case 'reverted':
      return { type: 'reverted', value: revertOf(abis(), output, message) };
    case 'trapped':
      return {
        type: 'trapped',
        value: { kind: details.trap?.kind ?? 'unknown', message, backtrace: details.trap?.backtrace ?? [] },
      };
    case 'invalid':
      return { type: 'invalid', value: message };
  }
}
