/**
 * Whether another's block is good. The verdict depends on the block and its branch alone, not on clock or load, and is the same
 * on every node. Each rule has the name that a refusal gives.
 *
 *  1. `encoding`: header and body are strict Borsh, the body of at most {@link MAX_BODY_BYTES}.
 *  2. `chain_id` is the parent's.
 *  3. `parent_hash` is the parent's hash.
 *  4. `height` is the parent's plus one.
 *  5. `epoch`, `view` and `proposer` are those that agreement gave the block; the view is after the parent's.
 *  6. `validators_hash` is that of the epoch's set, which has the proposer.
 *  7. `timestamp_ms` is after the parent's.
 *  8. `gas_limit` is the parent's, `base_fee` the parent's formula's, `extra` empty.
 *  9. `transactions_root` is that of the items.
 * 10. `signature`: each transaction's is its sender's.
 * 11. `inclusion`: each transaction is for this chain, and can be included in its place.
 * 12. `gas_used`, `receipts_root`, `state_root` and `history_root` are what executing the block gives.
 *
 * Rules 1 to 9 cost what hashing the block costs, and come before any signature is checked; 10 comes before anything runs.
 *
 * @module
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Crypto } from '../crypto/crypto.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import type { BlockHeader, BlockItem } from '../generated/ledger.js';
import { BorshError } from '../idl/codecs/codec-errors.js';
import { toHex } from '../idl/hex.js';
import { ledger } from '../ledger/codecs.js';
import { MAX_BODY_BYTES } from '../ledger/constants.js';
import { nextBaseFee } from '../ledger/fees.js';
import { blockHash, validatorsHash } from '../ledger/header.js';
import {
  encodeTransactionItem,
  type TransactionEnvelope,
  transactionFromSigned,
  type VerifiedTransaction,
} from '../ledger/transaction-envelope.js';
import { listRoot } from '../proofs/list-root.js';
import { describeCause } from '../storage/store-error.js';
import type { BlockExecutor } from './block-executor.js';
import type { ChainTip } from './chain.js';
import { isNobodysFault } from './contained-execution.js';
import { timedExecution } from './executed-candidates.js';
import { type BlockContext, type FinishParts, finishBlock, nextBlock } from './next-block.js';
import type { BlockParent, PendingBlock } from './pending-blocks.js';

/** A block as it travels. */
export interface EncodedBlock {
  /** borsh(BlockHeader). */
  readonly header: Uint8Array;
  /** borsh(BlockBody). */
  readonly body: Uint8Array;
}

/** A block whose bytes were understood; nothing of it has been checked. */
export interface DecodedBlock extends ChainTip, DecodedBody {}

/** What a block's items are. */
export interface DecodedBody {
  readonly transactions: readonly TransactionEnvelope[];
  /** The list root of the items, 32 bytes. */
  readonly itemsRoot: Uint8Array;
  /** borsh(BlockItem) of all items together. */
  readonly bytes: number;
}

export type BlockRule =
  | 'encoding'
  | 'signature'
  | 'inclusion'
  | Exclude<keyof BlockHeader, 'height' | 'view'>
  | 'height'
  | 'view';

/** Why a block is invalid. */
export interface BlockRefusal {
  readonly verdict: 'invalid';
  readonly rule: BlockRule;
  /** What differs: a member of the header, `signature of transaction N`, or `transaction 0x…`. */
  readonly what: string;
  /** What the block has there. */
  readonly stored: string;
  /** What it should be. */
  readonly computed: string;
  /** The receipts as executing the block gives them, encoded as they are stored, where it came to that. */
  readonly receipts?: readonly Uint8Array[];
}

export type BlockVerdict =
  | { readonly verdict: 'valid'; readonly block: PendingBlock }
  | BlockRefusal
  /** The parent is neither the last committed block nor a pending one. */
  | { readonly verdict: 'unknown_parent' }
  /** Nothing can be said of the block now, through no fault that is known to be its own. */
  | { readonly verdict: 'withheld'; readonly reason: string; readonly cause: unknown };

export interface VerifyParts extends FinishParts {
  readonly chain: FinishParts['chain'] & Parameters<typeof nextBlock>[0];
  readonly executor: BlockExecutor;
  /** Gives the transaction back where the signature is the sender's over its hash. */
  readonly verifySignature: (transaction: TransactionEnvelope) => Promise<VerifiedTransaction | undefined>;
}

/** How many transactions are hashed before the event loop gets its turn: about a millisecond's worth. */
const SLICE = 128;

/** Rule 1. */
export async function decodeBlock(
  crypto: Crypto,
  { header: encodedHeader, body }: EncodedBlock,
): Promise<DecodedBlock | BlockRefusal> {
  if (body.length > MAX_BODY_BYTES) {
    return refusal('encoding', 'body', `${body.length} bytes`, `at most ${MAX_BODY_BYTES} bytes`);
  }
  try {
    const header = ledger.BlockHeader.decode(encodedHeader);
    const { items } = ledger.BlockBody.decode(body);
    return { header, hash: blockHash(crypto, encodedHeader), ...(await decodeBody(crypto, items)) };
  } catch (error) {
    if (error instanceof BorshError) return refusal('encoding', 'block', error.message, 'strict Borsh');
    throw error;
  }
}

/** Identifies and hashes a block's items, a slice a turn of the event loop. */
export async function decodeBody(crypto: Crypto, items: readonly BlockItem[]): Promise<DecodedBody> {
  const transactions: TransactionEnvelope[] = [];
  const encoded: Uint8Array[] = [];
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    if (index % SLICE === 0) await nextTurn();
    const transaction = transactionFromSigned(item.value, crypto);
    const encodedItem = encodeTransactionItem(transaction);
    transactions.push(transaction);
    encoded.push(encodedItem);
    bytes += encodedItem.length;
  }
  return { transactions, itemsRoot: listRoot(crypto, encoded), bytes };
}

/**
 * Rules 2 to 12.
 * @param parent what the block is put on
 * @throws the signal's reason; what the block has no part in: StoreError, ExecutionError `stopped`, ProofError
 */
export async function verifyBlock(
  parts: VerifyParts,
  parent: BlockParent,
  { block, context }: { readonly block: DecodedBlock; readonly context: BlockContext },
  signal?: AbortSignal,
): Promise<BlockVerdict> {
  const refused = headerRefusal(parts, parent, block, context);
  if (refused !== undefined) return refused;
  try {
    parts.pending.expectRoom();
    const transactions = await verifySignatures(parts, block);
    if ('verdict' in transactions) return transactions;
    signal?.throwIfAborted();
    return await execute(parts, parent, { ...block, transactions }, context, signal);
  } catch (error) {
    if (isNobodysFault(error) || signal?.aborted === true) throw error;
    // Whatever went wrong: the state under it became another.
    if (parts.pending.parent(context.parent) === undefined) return { verdict: 'unknown_parent' };
    return { verdict: 'withheld', reason: describeCause(error), cause: error };
  }
}

/** Rules 2 to 9. */
function headerRefusal(
  { chain, crypto }: VerifyParts,
  parent: BlockParent,
  { header, itemsRoot }: DecodedBlock,
  context: BlockContext,
): BlockRefusal | undefined {
  const before = parent.header;
  const expected = {
    chain_id: before.chain_id,
    parent_hash: parent.hash,
    height: before.height + 1n,
    epoch: context.epoch,
    view: context.view,
    proposer: context.proposer,
    validators_hash: validatorsHash(crypto, chain.validatorsAt(context.epoch)),
    gas_limit: before.gas_limit,
    base_fee: nextBaseFee(before),
    extra: new Uint8Array(0),
  };
  const refused = headerDifference(header, expected);
  if (refused !== undefined) return refused;
  if (chain.validatorAt(header.epoch, header.proposer) === undefined) {
    return refusal('proposer', 'proposer', text(header.proposer), 'the index of a validator');
  }
  if (header.view <= before.view) {
    return refusal('view', 'view', text(header.view), `more than the parent's, ${before.view}`);
  }
  if (header.timestamp_ms <= before.timestamp_ms) {
    const least = `more than the parent's, ${before.timestamp_ms}`;
    return refusal('timestamp_ms', 'timestamp_ms', text(header.timestamp_ms), least);
  }
  return headerDifference(header, { transactions_root: itemsRoot });
}

/** Rule 10. */
async function verifySignatures(
  { verifySignature }: VerifyParts,
  { transactions }: DecodedBlock,
): Promise<readonly VerifiedTransaction[] | BlockRefusal> {
  const verdicts = await Promise.all(transactions.map(verifySignature));
  const good = verdicts.filter((one) => one !== undefined);
  if (good.length === verdicts.length) return good;
  return refusal('signature', `signature of transaction ${verdicts.indexOf(undefined)}`, 'bad', 'good');
}

/** Rules 11 and 12. */
async function execute(
  parts: VerifyParts,
  parent: BlockParent,
  { header, hash, transactions }: DecodedBlock & { readonly transactions: readonly VerifiedTransaction[] },
  context: BlockContext,
  signal: AbortSignal | undefined,
): Promise<BlockVerdict> {
  const { chain, executor, pending, proofs } = parts;
  const foreign = transactions.find(({ signed }) => signed.transaction.chain_id !== header.chain_id);
  if (foreign !== undefined) return notIncludable(foreign, 'wrong_chain');
  const next = nextBlock(chain, parent, context, header.timestamp_ms);
  // What a block holds of a bundle executes one by one as it did together: all of it succeeded.
  const candidates = { transactions, bundles: [] };
  const outcome = await timedExecution(candidates, () => executor.executeDecided(next, candidates));
  signal?.throwIfAborted();
  // The state under it may have become another in the meantime.
  if (pending.parent(context.parent) === undefined) return { verdict: 'unknown_parent' };
  const [leftOut] = outcome.leftOut;
  if (leftOut !== undefined) return notIncludable(leftOut.transaction, leftOut.problem);
  const built = await finishBlock(parts, next, outcome);
  const refused = headerDifference(header, built.header);
  if (refused !== undefined) {
    proofs.drop(built.roots.id);
    return { ...refused, receipts: built.receipts };
  }
  if (Buffer.compare(hash, built.hash) !== 0) {
    proofs.drop(built.roots.id);
    return refusal('encoding', 'hash', toHex(hash), toHex(built.hash));
  }
  if (pending.parent(context.parent) === undefined) {
    proofs.drop(built.roots.id);
    return { verdict: 'unknown_parent' };
  }
  return { verdict: 'valid', block: pending.add(built) };
}

/** The first member of a header that is not what it should be, of those given. */
export function headerDifference(
  header: BlockHeader,
  expected: Partial<BlockHeader>,
): BlockRefusal | undefined {
  for (const member of Object.keys(expected) as (keyof BlockHeader)[]) {
    const value = expected[member];
    if (value === undefined) continue;
    const [stored, computed] = [text(header[member]), text(value)];
    if (stored !== computed) return refusal(member, member, stored, computed);
  }
  return undefined;
}

function notIncludable(
  { hashHex }: TransactionEnvelope,
  problem: InclusionProblem | 'wrong_chain',
): BlockRefusal {
  return refusal('inclusion', `transaction 0x${hashHex}`, 'included', `cannot be included: ${problem}`);
}

function refusal(rule: BlockRule, what: string, stored: string, computed: string): BlockRefusal {
  return { verdict: 'invalid', rule, what, stored, computed };
}

function text(value: BlockHeader[keyof BlockHeader]): string {
  return value instanceof Uint8Array ? toHex(value) : String(value);
}
