/**
 * Verification of received blocks. The verdict depends only on the block and its branch, not on clock or load, and is
 * the same on every node. A rejection names the rule.
 *
 *  1. `encoding`: header and body are strict Borsh, and the body has at most MAX_BODY_BYTES.
 *  2. `items`: at most MAX_SEAL_KEYS keys come first, then transactions and envelopes in any order, then at most
 *     MAX_CONSENSUS_ITEMS dealings, then at most as many changes, then at most as many complaints.
 *  3. `chain_id` is the parent's.
 *  4. `parent_hash` is the parent's hash.
 *  5. `height` is the parent's plus one.
 *  6. `epoch`, `view` and `proposer` are those assigned by consensus; the epoch is that of the height, and the view is
 *     greater than the parent's if both are in the same epoch.
 *  7. `validators_hash` is that of the epoch's set, which contains the proposer.
 *  8. `timestamp_ms` is greater than the parent's.
 *  9. `gas_limit` is the parent's, `base_fee` and `seal_excess` follow from the parent's by their formulas, `extra` is
 *     empty.
 * 10. `transactions_root` is that of the items.
 * 11. `seal_keys`: the keys are those of the lowest heights below the block's own with unopened envelopes, ascending
 *     and without gaps. If such a height is left, the block has no transactions or envelopes. Each key is the group
 *     key's signature of its height's identity.
 * 12. `signature`: each transaction and envelope is signed by its sender.
 * 13. `inclusion`: each transaction and envelope is for this chain, and can be included at its position.
 * 14. `validators`: dealings, changes and complaints follow the rules of `epoch-rules.ts`.
 * 15. `gas_used`, `receipts_root`, `state_root` and `history_root` match the result of executing the block.
 *
 * Rules 1 to 10 cost as much as hashing the block, and are checked before any signature; 11 and 12 before any
 * execution.
 *
 * @module
 */

import { errorMessage } from '../base/errors.js';
import { sameBytes } from '../base/same-bytes.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import { toHex } from '../idl/hex.js';
import { nextBaseFee } from '../ledger/fees.js';
import { validatorsHash } from '../ledger/header.js';
import { nextSealExcess } from '../ledger/opening-slots.js';
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
  /** No verdict is possible now, for a reason that is not known to be the block's fault. */
  | { readonly verdict: 'withheld'; readonly reason: string; readonly cause: unknown };

export interface ExecuteParts extends Pick<FinishParts, 'crypto'> {
  readonly executor: Pick<BlockExecutor, 'openings' | 'executeDecided'>;
  readonly epochRules: EpochRules;
  /** Returns the transaction if its signature over its hash is the sender's. */
  readonly verifySignature: (transaction: TransactionEnvelope) => Promise<VerifiedTransaction | undefined>;
}

export interface VerifyParts extends ExecuteParts, FinishParts {
  readonly executor: BlockExecutor;
  readonly epochRules: EpochRules;
}

/**
 * Checks rules 3 to 15.
 * @param parent parent of the block
 * @throws the signal's reason; failures not caused by the block: StoreError, ExecutionError `stopped`, ProofError
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
    // Another branch may have been committed in the meantime.
    if (!isCurrent()) return { verdict: 'unknown_parent' };
    if ('verdict' in unrooted) return unrooted;
    const built = await rootedBlock(parts, unrooted);
    const wrong = rootsRejection(block, built);
    if (wrong === undefined && isCurrent()) return { verdict: 'valid', block: pending.add(built) };
    proofs.drop(built.roots.id);
    return wrong ?? { verdict: 'unknown_parent' };
  } catch (error) {
    if (isEnvironmentFailure(error) || signal?.aborted === true) throw error;
    // The commit of another branch explains any failure.
    if (!isCurrent()) return { verdict: 'unknown_parent' };
    return { verdict: 'withheld', reason: errorMessage(error), cause: error };
  }
}

export interface BlockToCheck {
  readonly block: DecodedBlock;
  readonly context: BlockContext;
}

/**
 * Checks rules 11 to 14, for a block that has passed the earlier ones.
 * @throws the signal's reason; anything that execution throws
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

/** Checks rule 15, for a block that has passed all others. */
export function rootsRejection(
  { header, hash }: Pick<DecodedBlock, 'header' | 'hash'>,
  built: PendingBlock,
): BlockRejection | undefined {
  const refused = headerDifference(header, built.header);
  if (refused !== undefined) return { ...refused, receipts: built.receipts };
  if (sameBytes(hash, built.hash)) return undefined;
  return rejection('encoding', 'hash', toHex(hash), toHex(built.hash));
}

/** Checks rules 3 to 10. */
export function headerRejection(
  { crypto }: Pick<ExecuteParts, 'crypto'>,
  parent: ExecutionParent,
  { header, itemsRoot }: DecodedBlock,
  context: BlockContext,
): BlockRejection | undefined {
  const { header: before, epochs, slots } = parent;
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
    seal_excess: nextSealExcess(before, slots),
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
    const minimum = `more than the parent's, ${before.timestamp_ms}`;
    return rejection('timestamp_ms', 'timestamp_ms', String(header.timestamp_ms), minimum);
  }
  return headerDifference(header, { transactions_root: itemsRoot });
}

/** Checks rule 11 except for the signatures. */
function dueKeysRejection(
  { executor: { openings } }: ExecuteParts,
  next: NextBlock,
  { keys, transactions }: DecodedBlock,
): BlockRejection | undefined {
  const due = openings.due(next).map(({ height }) => height);
  const opened = keys.map(({ height }) => height);
  if (opened.some((height, place) => height !== due[place])) {
    const message = `the lowest of ${due.join(', ') || 'none'}`;
    return rejection('seal_keys', 'heights of keys', opened.join(', '), message);
  }
  if (due.length > keys.length && transactions.length > 0) {
    const left = due.slice(keys.length).join(', ');
    const message = `none before height ${left} is open`;
    return rejection('seal_keys', 'transactions', String(transactions.length), message);
  }
  return undefined;
}

/** Checks the signatures of rule 11. */
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

/** Checks rule 12. */
async function verifySignatures(
  { verifySignature }: ExecuteParts,
  { transactions }: DecodedBlock,
): Promise<readonly VerifiedTransaction[] | BlockRejection> {
  const verdicts = await Promise.all(transactions.map(verifySignature));
  const good = verdicts.filter((one) => one !== undefined);
  if (good.length === verdicts.length) return good;
  return rejection('signature', `signature of transaction ${verdicts.indexOf(undefined)}`, 'bad', 'good');
}

/** Checks rules 13 and 14. */
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
  if (problem !== undefined)
    return rejection('validators', 'dealings, changes and complaints', 'valid ones', problem);
  const foreign = transactions.find(({ signed }) => signed.transaction.chain_id !== header.chain_id);
  if (foreign !== undefined) return notIncludable(foreign, 'wrong_chain');
  const opened = await executor.openings.execute(bare, block.keys, signal);
  signal?.throwIfAborted();
  const next = baseAfterOpenings(bare, opened);
  // Bundles need no special treatment: all members of an included bundle succeeded, so they execute one by one the same
  // way.
  const candidates = { transactions, bundles: [] };
  const outcome = await timedExecution(candidates, () => executor.executeDecided(next, candidates, signal));
  signal?.throwIfAborted();
  const [excluded] = outcome.excluded;
  if (excluded !== undefined) return notIncludable(excluded.transaction, excluded.problem);
  return unrootedBlock(parts, next, outcome, block, opened);
}

function notIncludable(
  { hashHex }: TransactionEnvelope,
  problem: InclusionProblem | 'wrong_chain',
): BlockRejection {
  return rejection('inclusion', `transaction 0x${hashHex}`, 'included', `cannot be included: ${problem}`);
}
