import { setImmediate as nextTick } from 'node:timers/promises';
import type { Crypto } from '../crypto/crypto.js';
import type { BlockEnvironment } from '../execution/block-environment.js';
import type { ExecutedBlock } from '../execution/block-execution.js';
import { mergeOpenings } from '../execution/sealed/merge-openings.js';
import { inKeyOrder } from '../execution/state-writes.js';
import type { BlockHeader } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { ledger } from '../ledger/codecs.js';
import { nextBaseFee } from '../ledger/fees.js';
import { blockHash, validatorsHash } from '../ledger/header.js';
import { encodeTransactionItem } from '../ledger/transaction-envelope.js';
import type { BlockRoots } from '../proofs/block-roots.js';
import type { ProofService } from '../proofs/proof-service.js';
import { ChainError } from './chain-error.js';
import type { EpochRules } from './epochs/epoch-rules.js';
import { afterBlock, type EpochItems, type EpochState, validatorOf } from './epochs/epoch-state.js';
import type { ExecutedCandidates, ExecutionBase } from './executed-candidates.js';
import type { ExecutionParent, PendingBlock, PendingBlocks } from './pending-blocks.js';
import { encodeProtocolItems, type ProtocolItems } from './protocol-items.js';
import type { ExecutedOpenings } from './sealed/openings.js';

/** Who makes a block, and when, as agreement has it. */
export interface BlockContext {
  /** Hash of the parent: the tip or a pending block. 32 bytes. */
  readonly parent: Uint8Array;
  readonly epoch: bigint;
  readonly view: bigint;
  /** Index in the epoch's validator set. */
  readonly proposer: number;
}

/** What a block is made of, until it is executed. */
export interface NextBlock extends ExecutionBase {
  readonly context: BlockContext;
  readonly parent: ExecutionParent;
}

/**
 * The block after a parent.
 * @throws ChainError `no_validator` where the epoch's set has no such proposer
 */
export function nextBlock(parent: ExecutionParent, context: BlockContext, timestampMs: bigint): NextBlock {
  return {
    context,
    parent,
    branch: parent.branch,
    env: nextEnvironment(parent, context, timestampMs),
  };
}

/** A block with what its transactions and envelopes are executed on, once its keys have opened what they open. */
export function baseAfterOpenings<B extends ExecutionBase>(base: B, opened: ExecutedOpenings | undefined): B {
  if (opened === undefined) return base;
  const { executed, tips, state } = opened;
  return { ...base, branch: [...base.branch, state], before: { gasUsed: executed.gasUsed, tips } };
}

/** What the block after a parent is executed in. @throws ChainError `no_validator` */
export function nextEnvironment(
  {
    header,
    epochs,
    blocks = [],
  }: Pick<ExecutionParent, 'header' | 'epochs'> & Partial<Pick<ExecutionParent, 'blocks'>>,
  { epoch, proposer }: Pick<BlockContext, 'epoch' | 'proposer'>,
  timestampMs: bigint,
): BlockEnvironment {
  const validator = epoch === epochs.validators.epoch ? validatorOf(epochs, proposer) : undefined;
  if (validator === undefined) {
    throw new ChainError('no_validator', `epoch ${epoch} has no validator ${proposer}`);
  }
  return {
    chainId: header.chain_id,
    height: header.height + 1n,
    timestampMs,
    baseFee: nextBaseFee(header),
    gasLimit: header.gas_limit,
    proposer: toHex(validator.address),
    ...(blocks.length === 0 ? {} : { pendingHashes: blocks.map(({ hash }) => hash).reverse() }),
  };
}

/** What blocks are finished with. */
export interface FinishParts {
  readonly crypto: Crypto;
  readonly proofs: Pick<ProofService, 'blockRoots' | 'drop'>;
  readonly pending: PendingBlocks;
  readonly epochRules: Pick<EpochRules, 'next'>;
}

/** A block that has been executed: what it comes to but for its roots. */
export interface UnrootedBlock
  extends Omit<PendingBlock, 'header' | 'encodedHeader' | 'hash' | 'roots' | 'rootsMs'> {
  readonly next: NextBlock;
}

/**
 * Has the roots of an executed block computed and makes its header. The block is not in the tree of pending ones yet.
 * @param outcome of its transactions and envelopes
 * @param carried what it holds beside them
 * @param opened what its keys opened; undefined where it has none
 */
export async function finishBlock(
  parts: FinishParts,
  next: NextBlock,
  outcome: ExecutedCandidates,
  carried: ProtocolItems,
  opened: ExecutedOpenings | undefined,
): Promise<PendingBlock> {
  return rootedBlock(parts, await unrootedBlock(parts, next, outcome, carried, opened));
}

/** Puts together what executing a block came to. The parameters are those of {@link finishBlock}. */
export async function unrootedBlock(
  parts: Pick<FinishParts, 'crypto' | 'epochRules'>,
  next: NextBlock,
  outcome: ExecutedCandidates,
  { keys, dealings, changes }: ProtocolItems,
  opened: ExecutedOpenings | undefined,
): Promise<UnrootedBlock> {
  const both = opened === undefined ? outcome.executed : mergeOpenings(opened.executed, outcome.executed);
  const { executed, epochs } = await withEpochs(parts, next, both, { dealings, changes });
  await nextTick();
  const { before, behind } = encodeProtocolItems({ keys, dealings, changes });
  const encoded = outcome.transactions.map(encodeTransactionItem);
  const items = before.length + behind.length === 0 ? encoded : [...before, ...encoded, ...behind];
  return {
    ...outcome,
    next,
    executed,
    epochs,
    items,
    keys,
    dealings,
    changes,
    openings: opened?.openings ?? [],
    receipts: executed.storedReceipts,
  };
}

/**
 * Has the roots of an executed block computed, which is asked for before this returns, and makes its header.
 * @param id what the proof worker is to know the block by; left out, a new one
 */
export async function rootedBlock(
  { crypto, proofs }: Pick<FinishParts, 'crypto' | 'proofs'>,
  { next, ...block }: UnrootedBlock,
  id?: number,
): Promise<PendingBlock> {
  const started = performance.now();
  const { context, env, parent } = next;
  const { executed, items } = block;
  const roots = await proofs.blockRoots({
    ...(id === undefined ? {} : { id }),
    parent: parent.rootsId,
    height: env.height,
    parentHash: parent.hash,
    changes: executed.writes,
    items,
    receipts: executed.receipts,
  });
  const validators = validatorsHash(crypto, parent.epochs.validators);
  const header = headerOf(context, env, { gasUsed: executed.gasUsed, roots, validators });
  const encodedHeader = ledger.BlockHeader.encode(header);
  return {
    ...block,
    header,
    encodedHeader,
    hash: blockHash(crypto, encodedHeader),
    roots,
    rootsMs: performance.now() - started,
  };
}

/** What executing a block came to, with what its items make of the validators. */
async function withEpochs(
  { crypto, epochRules }: Pick<FinishParts, 'crypto' | 'epochRules'>,
  { parent, env }: NextBlock,
  executed: ExecutedBlock,
  items: EpochItems,
): Promise<{ readonly executed: ExecutedBlock; readonly epochs: EpochState }> {
  const { state, writes } = await afterBlock(crypto, parent.epochs, env.height, items, (ended) =>
    epochRules.next(ended),
  );
  if (writes.length === 0) return { executed, epochs: state };
  return { executed: { ...executed, writes: inKeyOrder([...executed.writes, ...writes]) }, epochs: state };
}

function headerOf(
  { parent, epoch, view, proposer }: BlockContext,
  env: BlockEnvironment,
  made: { readonly gasUsed: bigint; readonly roots: BlockRoots; readonly validators: Uint8Array },
): BlockHeader {
  const { gasUsed, roots, validators } = made;
  return {
    chain_id: env.chainId,
    height: env.height,
    parent_hash: parent,
    epoch,
    view,
    timestamp_ms: env.timestampMs,
    proposer,
    transactions_root: roots.transactionsRoot,
    receipts_root: roots.receiptsRoot,
    state_root: roots.stateRoot,
    history_root: roots.historyRoot,
    validators_hash: validators,
    gas_used: gasUsed,
    gas_limit: env.gasLimit,
    base_fee: env.baseFee,
    extra: new Uint8Array(0),
  };
}
