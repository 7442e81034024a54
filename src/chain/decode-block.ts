import { NODE_RUNTIME, type Runtime } from '../async/runtime.js';
import type { Crypto } from '../crypto/crypto.js';
import type { ApprovedChange, BlockItem, Complaint, Dealing, SealKey } from '../generated/ledger.js';
import { BorshError } from '../idl/codecs/codec-errors.js';
import { ledger } from '../ledger/codecs.js';
import { MAX_BODY_BYTES, MAX_CONSENSUS_ITEMS, MAX_SEAL_KEYS } from '../ledger/constants.js';
import { blockHash } from '../ledger/header.js';
import {
  encodeTransactionItem,
  envelopeFromSigned,
  type TransactionEnvelope,
  transactionFromSigned,
} from '../ledger/transaction-envelope.js';
import { listRoot } from '../proofs/list-root.js';
import { type BlockRejection, rejection } from './block-rejection.js';
import type { ChainTip } from './committed-chain.js';
import { encodeProtocolItems, type ProtocolItems } from './protocol-items.js';

/** An encoded block, as sent over the network. */
export interface EncodedBlock {
  /** borsh(BlockHeader). */
  readonly header: Uint8Array;
  /** borsh(BlockBody). */
  readonly body: Uint8Array;
}

/** A decoded block, not verified yet. */
export interface DecodedBlock extends ChainTip, DecodedBody {}

export interface DecodedBody extends ProtocolItems {
  /** Transactions and sealed envelopes. */
  readonly transactions: readonly TransactionEnvelope[];
  /** List root of the items, 32 bytes. */
  readonly itemsRoot: Uint8Array;
  /** Total size of all items as borsh(BlockItem). */
  readonly bytes: number;
}

/** Number of transactions hashed per turn of the event loop, about a millisecond of work. */
const SLICE = 128;

/** Decodes a block. Checks rules 1 and 2 of `verify-block.ts`. @param nextTurn as in {@link decodeBody} */
export async function decodeBlock(
  crypto: Crypto,
  { header: encodedHeader, body }: EncodedBlock,
  nextTurn?: Runtime['nextTurn'],
): Promise<DecodedBlock | BlockRejection> {
  if (body.length > MAX_BODY_BYTES) {
    return rejection('encoding', 'body', `${body.length} bytes`, `at most ${MAX_BODY_BYTES} bytes`);
  }
  try {
    const header = ledger.BlockHeader.decode(encodedHeader);
    const { items } = ledger.BlockBody.decode(body);
    const decoded = await decodeBody(crypto, items, nextTurn);
    if ('verdict' in decoded) return decoded;
    return { header, hash: blockHash(crypto, encodedHeader), ...decoded };
  } catch (error) {
    if (error instanceof BorshError) return rejection('encoding', 'block', error.message, 'strict Borsh');
    throw error;
  }
}

/**
 * Checks rule 2 of `verify-block.ts`, and hashes a block's items in slices, one per turn of the event loop.
 * @param nextTurn resolves in a later turn; by default, Node's
 */
export async function decodeBody(
  crypto: Crypto,
  items: readonly BlockItem[],
  nextTurn: Runtime['nextTurn'] = NODE_RUNTIME.nextTurn,
): Promise<DecodedBody | BlockRejection> {
  const sorted = new SortedItems(crypto);
  for (const [index, item] of items.entries()) {
    if (index % SLICE === 0) await nextTurn();
    const refused = sorted.add(item, index);
    if (refused !== undefined) return refused;
  }
  const { keys, transactions, dealings, changes, complaints, encoded } = sorted;
  const { before, after } = encodeProtocolItems({ keys, dealings, changes, complaints });
  const all = [...before, ...encoded, ...after];
  const bytes = all.reduce((sum, { length }) => sum + length, 0);
  return { keys, transactions, dealings, changes, complaints, itemsRoot: listRoot(crypto, all), bytes };
}

const ITEM_ORDER = { seal_key: 0, transaction: 1, sealed: 1, dealing: 2, change: 3, complaint: 4 } as const;

class SortedItems {
  readonly keys: SealKey[] = [];
  readonly transactions: TransactionEnvelope[] = [];
  readonly dealings: Dealing[] = [];
  readonly changes: ApprovedChange[] = [];
  readonly complaints: Complaint[] = [];
  /** borsh(BlockItem) of the transactions. */
  readonly encoded: Uint8Array[] = [];
  readonly #crypto: Crypto;
  #itemOrder = 0;

  constructor(crypto: Crypto) {
    this.#crypto = crypto;
  }

  add(item: BlockItem, index: number): BlockRejection | undefined {
    const order = ITEM_ORDER[item.type];
    if (order < this.#itemOrder) {
      const message = 'keys, transactions, dealings, changes, complaints in this order';
      return rejection('items', `item ${index}`, item.type, message);
    }
    this.#itemOrder = order;
    switch (item.type) {
      case 'transaction':
        this.#addTransaction(transactionFromSigned(item.value, this.#crypto));
        return undefined;
      case 'sealed':
        this.#addTransaction(envelopeFromSigned(item.value, this.#crypto));
        return undefined;
      case 'seal_key':
        return addTo(this.keys, item.value, 'keys', MAX_SEAL_KEYS);
      case 'dealing':
        return addTo(this.dealings, item.value, 'dealings', MAX_CONSENSUS_ITEMS);
      case 'change':
        return addTo(this.changes, item.value, 'changes', MAX_CONSENSUS_ITEMS);
      case 'complaint':
        return addTo(this.complaints, item.value, 'complaints', MAX_CONSENSUS_ITEMS);
    }
  }

  #addTransaction(transaction: TransactionEnvelope): void {
    this.transactions.push(transaction);
    this.encoded.push(encodeTransactionItem(transaction));
  }
}

function addTo<T>(list: T[], one: T, what: string, max: number): BlockRejection | undefined {
  if (list.length === max) return rejection('items', what, `more than ${max}`, `at most ${max}`);
  list.push(one);
  return undefined;
}
