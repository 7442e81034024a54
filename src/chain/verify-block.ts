/**
 * Whether another's block is good. The verdict depends on the block and its branch alone, not on clock or load, and is the same
 * on every node. Each rule has the name that a refusal gives.
 *
 *  1. `encoding`: header and body are strict Borsh, the body of at most MAX_BODY_BYTES.
 *  2. `items`: first come at most MAX_SEAL_KEYS keys, then transactions and envelopes in any order, then at most
 *     MAX_CONSENSUS_ITEMS dealings, then as many changes.
 *  3. `chain_id` is the parent's.
 *  4. `parent_hash` is the parent's hash.
 *  5. `height` is the parent's plus one.
 *  6. `epoch`, `view` and `proposer` are those that agreement gave the block; the epoch is the height's, the view after the
 *     parent's where that is of the same epoch.
 *  7. `validators_hash` is that of the epoch's set, which has the proposer.
 *  8. `timestamp_ms` is after the parent's.
 *  9. `gas_limit` is the parent's, `base_fee` the parent's formula's, `extra` empty.
 * 10. `transactions_root` is that of the items.
 * 11. `seal_keys`: the keys are of the lowest heights below the block's own that have envelopes that are not open, ascending,
 *     none left out; where one of those heights is left, the block has neither transactions nor envelopes; each key is the group
 *     key's signature of its height's identity.
 * 12. `signature`: the signature of each transaction and envelope is its sender's.
 * 13. `inclusion`: each transaction and envelope is for this chain, and can be included in its place.
 * 14. `validators`: dealings and changes follow the rules of `epoch-rules.ts`.
 * 15. `gas_used`, `receipts_root`, `state_root` and `history_root` are what executing the block gives.
 *
 * Rules 1 to 10 cost what hashing the block costs, and come before any signature is checked; 11 and 12 come before anything runs.
 *
 * @module
 */

import { errorMessage } from '../base/errors.js';
import { sameBytes } from '../base/same-bytes.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import { toHex } from '../idl/hex.js';
import { nextBaseFee } from '../ledger/fees.js';
import { validatorsHash } from '../ledger/header.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { BlockExecutor } from './block-executor.js';
import { type BlockRejection, headerDifference, rejection } from './block-rejection.js';
import type { DecodedBlock } from './decode-block.js';
import type { EpochRules } from './epochs/epoch-rules.js';
import { validatorOf } from './epochs/epoch-state.js';
import { timedExecution } from './executed-candidates.js';
import { isEnvironmentFailure } from './faults/contained-execution.js';
import {
  type BlockContext,
  baseAfterOpenings,
  type FinishParts,
  type NextBlock,
  nextBlock,
  rootedBlock,
  type UnrootedBlock,
  unrootedBlock,
} from './next-block.js';
import type { BlockParent, ExecutionParent, PendingBlock } from './pending-blocks.js';

export type BlockVerdict =
  | { readonly verdict: 'valid'; readonly block: PendingBlock }
  | BlockRejection
  /** The parent is neither the last committed block nor a pending one. */
  | { readonly verdict: 'unknown_parent' }
  /** Nothing can be said of the block now, through no fault that is known to be its own. */
  | { readonly verdict: 'withheld'; readonly reason: string; readonly cause: unknown };

/** What blocks are executed with. */
export interface ExecuteParts extends Pick<FinishParts, 'crypto'> {
  readonly executor: Pick<BlockExecutor, 'openings' | 'executeDecided'>;
  readonly epochRules: EpochRules;
  /** Gives the transaction back where the signature is the sender's over its hash. */
  readonly verifySignature: (transaction: TransactionEnvelope) => Promise<VerifiedTransaction | undefined>;
}

export interface VerifyParts extends ExecuteParts, FinishParts {
  readonly executor: BlockExecutor;
  readonly epochRules: EpochRules;
}

/**
 * Rules 3 to 15.
 * @param parent what the block is put on
 * @throws the signal's reason; what the block has no part in: StoreError, ExecutionError `stopped`, ProofError
 */
export async function verifyBlock(
  parts: VerifyParts,
  parent: BlockParent,
  { block, context }: BlockToCheck,
  signal?: AbortSignal,
): Promise<BlockVerdict> {
  const { pending, proofs } = parts;
  const refused = headerRejection(parts, parent, block, context);
  if (refused !== undefined) return refused;
  const isCurrent = () => pending.parent(context.parent) !== undefined;
  try {
    pending.expectRoom(parent);
    const unrooted = await executeBlock(parts, parent, { block, context }, signal);
    // The state under it may have become another in the meantime.
    if (!isCurrent()) return { verdict: 'unknown_parent' };
    if ('verdict' in unrooted) return unrooted;
    const built = await rootedBlock(parts, unrooted);
    const wrong = rootsRejection(block, built);
    if (wrong === undefined && isCurrent()) return { verdict: 'valid', block: pending.add(built) };
    proofs.drop(built.roots.id);
    return wrong ?? { verdict: 'unknown_parent' };
  } catch (error) {
    if (isEnvironmentFailure(error) || signal?.aborted === true) throw error;
    // Whatever went wrong: the state under it became another.
    if (!isCurrent()) return { verdict: 'unknown_parent' };
    return { verdict: 'withheld', reason: errorMessage(error), cause: error };
  }
}

/** A block, and what is known from elsewhere of who made it. */
export interface BlockToCheck {
  readonly block: DecodedBlock;
  readonly context: BlockContext;
}

/**
 * Rules 11 to 14, for a block that has passed those before.
 * @throws the signal's reason; whatever executing throws
 */
export async function executeBlock(
  parts: ExecuteParts,
  parent: ExecutionParent,
  { block, context }: BlockToCheck,
  signal?: AbortSignal,
): Promise<UnrootedBlock | BlockRejection> {
  const next = nextBlock(parent, context, block.header.timestamp_ms);
  const outOfTurn = dueKeysRejection(parts, next, block);
  if (outOfTurn !== undefined) return outOfTurn;
  const [badKey, transactions] = await Promise.all([
    badKeyOf(parts, next, block),
    verifySignatures(parts, block),
  ]);
  if (badKey !== undefined) return badKey;
  if ('verdict' in transactions) return transactions;
  signal?.throwIfAborted();
  return await execute(parts, next, { ...block, transactions }, signal);
}

/** Rule 15, where all others hold. */
export function rootsRejection(
  { header, hash }: Pick<DecodedBlock, 'header' | 'hash'>,
  built: PendingBlock,
): BlockRejection | undefined {
  const refused = headerDifference(header, built.header);
  if (refused !== undefined) return { ...refused, receipts: built.receipts };
  if (sameBytes(hash, built.hash)) return undefined;
  return rejection('encoding', 'hash', toHex(hash), toHex(built.hash));
}

/** Rules 3 to 10. */
export function headerRejection(
  { crypto }: Pick<ExecuteParts, 'crypto'>,
  parent: ExecutionParent,
  { header, itemsRoot }: DecodedBlock,
  context: BlockContext,
): BlockRejection | undefined {
  const { header: before, epochs } = parent;
  const expected = {
    chain_id: before.chain_id,
    parent_hash: parent.hash,
    height: before.height + 1n,
    epoch: context.epoch,
    view: context.view,
    proposer: context.proposer,
    validators_hash: validatorsHash(crypto, epochs.validators),
    gas_limit: before.gas_limit,
    base_fee: nextBaseFee(before),
    extra: new Uint8Array(0),
  };
  const refused = headerDifference(header, expected);
  if (refused !== undefined) return refused;
  const { epoch } = epochs.validators;
  if (header.epoch !== epoch) return rejection('epoch', 'epoch', String(header.epoch), String(epoch));
  if (validatorOf(epochs, header.proposer) === undefined) {
    return rejection('proposer', 'proposer', String(header.proposer), 'the index of a validator');
  }
  const after = before.epoch === header.epoch ? before.view : 0n;
  if (header.view <= after) {
    return rejection('view', 'view', String(header.view), `more than ${after}`);
  }
  if (header.timestamp_ms <= before.timestamp_ms) {
    const least = `more than the parent's, ${before.timestamp_ms}`;
    return rejection('timestamp_ms', 'timestamp_ms', String(header.timestamp_ms), least);
  }
  return headerDifference(header, { transactions_root: itemsRoot });
}

/** Rule 11 but for the signatures. */
function dueKeysRejection(
  { executor: { openings } }: ExecuteParts,
  next: NextBlock,
  { keys, transactions }: DecodedBlock,
): BlockRejection | undefined {
  const due = openings.due(next).map(({ height }) => height);
  const opened = keys.map(({ height }) => height);
  if (opened.some((height, place) => height !== due[place])) {
    return rejection(
      'seal_keys',
      'heights of keys',
      opened.join(', '),
      `of ${due.join(', ') || 'none'} the lowest`,
    );
  }
  if (due.length > keys.length && transactions.length > 0) {
    const left = due.slice(keys.length).join(', ');
    return rejection(
      'seal_keys',
      'transactions',
      String(transactions.length),
      `none before height ${left} is open`,
    );
  }
  return undefined;
}

/** The signatures of rule 11. */
async function badKeyOf(
  { executor: { openings } }: ExecuteParts,
  { parent }: NextBlock,
  { header, keys }: DecodedBlock,
): Promise<BlockRejection | undefined> {
  const { group_public_key: groupPublicKey } = parent.epochs.validators;
  const verdicts = await openings.verify(keys, { chainId: header.chain_id, groupPublicKey });
  const bad = verdicts.indexOf(false);
  return bad < 0 ? undefined : rejection('seal_keys', `key of height ${keys[bad]?.height}`, 'bad', 'good');
}

/** Rule 12. */
async function verifySignatures(
  { verifySignature }: ExecuteParts,
  { transactions }: DecodedBlock,
): Promise<readonly VerifiedTransaction[] | BlockRejection> {
  const verdicts = await Promise.all(transactions.map(verifySignature));
  const good = verdicts.filter((one) => one !== undefined);
  if (good.length === verdicts.length) return good;
  return rejection('signature', `signature of transaction ${verdicts.indexOf(undefined)}`, 'bad', 'good');
}

/** Rules 13 and 14. */
async function execute(
  parts: ExecuteParts,
  bare: NextBlock,
  block: DecodedBlock & { readonly transactions: readonly VerifiedTransaction[] },
  signal: AbortSignal | undefined,
): Promise<UnrootedBlock | BlockRejection> {
  const { executor, epochRules } = parts;
  const { parent } = bare;
  const { header, transactions } = block;
  const problem = await epochRules.problem(
    parent.epochs,
    { chainId: header.chain_id, height: header.height },
    block,
  );
  if (problem !== undefined) return rejection('validators', 'dealings and changes', 'valid ones', problem);
  const foreign = transactions.find(({ signed }) => signed.transaction.chain_id !== header.chain_id);
  if (foreign !== undefined) return notIncludable(foreign, 'wrong_chain');
  const opened = await executor.openings.execute(bare, block.keys, signal);
  signal?.throwIfAborted();
  const next = baseAfterOpenings(bare, opened);
  // What a block holds of a bundle executes one by one as it did together: all of it succeeded.
  const candidates = { transactions, bundles: [] };
  const outcome = await timedExecution(candidates, () => executor.executeDecided(next, candidates, signal));
  signal?.throwIfAborted();
  const [leftOut] = outcome.leftOut;
  if (leftOut !== undefined) return notIncludable(leftOut.transaction, leftOut.problem);
  return unrootedBlock(parts, next, outcome, block, opened);
}

function notIncludable(
  { hashHex }: TransactionEnvelope,
  problem: InclusionProblem | 'wrong_chain',
): BlockRejection {
  return rejection('inclusion', `transaction 0x${hashHex}`, 'included', `cannot be included: ${problem}`);
}
