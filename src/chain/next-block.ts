import { setImmediate as nextTick } from 'node:timers/promises';
import type { Crypto } from '../crypto/crypto.js';
import type { BlockEnvironment } from '../execution/block-environment.js';
import type { ExecutedBlock } from '../execution/block-execution.js';
import { mergeOpenings } from '../execution/sealed/merge-openings.js';
import { inKeyOrder } from '../execution/state-writes.js';
import type { BlockHeader } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { ledger } from '../ledger/codecs.js';
import { isDevelopmentChain } from '../ledger/dev-genesis.js';
import { nextBaseFee } from '../ledger/fees.js';
import { blockHash, validatorsHash } from '../ledger/header.js';
import { nextSealExcess, nextSlotPrice, reservedSlots } from '../ledger/opening-slots.js';
import { encodeTransactionItem } from '../ledger/transaction-envelope.js';
import type { ProofService } from '../proofs/proof-service.js';
import { ChainError } from './chain-error.js';
import type { EpochRules } from './epochs/epoch-rules.js';
import { afterBlock, type EpochItems, type EpochState, validatorOf } from './epochs/epoch-state.js';
import type { ExecutedCandidates, ExecutionBase } from './executed-candidates.js';
import type { ExecutionParent, PendingBlock, PendingBlocks } from './pending-blocks.js';
import { encodeProtocolItems, type ProtocolItems } from './protocol-items.js';
import type { ExecutedOpenings } from './sealed/openings.js';

/** Position and proposer of a block, as determined by consensus. */
export interface BlockContext {
  /** Hash of the parent, which is the tip or a pending block. 32 bytes. */
  readonly parent: Uint8Array;
  readonly epoch: bigint;
  readonly view: bigint;
  /** Index in the epoch's validator set. */
  readonly proposer: number;
}

export interface NextBlock extends ExecutionBase {
  readonly context: BlockContext;
  readonly parent: ExecutionParent;
}

/** The block after a parent. @throws ChainError `no_validator` if the proposer is not in the epoch's set */
export function nextBlock(parent: ExecutionParent, context: BlockContext, timestampMs: bigint): NextBlock {
  return { context, parent, branch: parent.branch, env: nextEnvironment(parent, context, timestampMs) };
}

/** The execution base of a block's transactions, on top of the envelopes that its keys opened. */
export function baseAfterOpenings<B extends ExecutionBase>(base: B, opened: ExecutedOpenings | undefined): B {
  if (opened === undefined) return base;
  const { executed, tips, state } = opened;
  return { ...base, branch: [...base.branch, state], before: { gasUsed: executed.gasUsed, tips } };
}

/** The environment of the block after a parent. @throws ChainError `no_validator` */
export function nextEnvironment(
  parent: Pick<ExecutionParent, 'header' | 'epochs' | 'slots'> & Partial<Pick<ExecutionParent, 'blocks'>>,
  { epoch, proposer }: Pick<BlockContext, 'epoch' | 'proposer'>,
  timestampMs: bigint,
): BlockEnvironment {
  const { header, epochs, slots, blocks = [] } = parent;
  const validator = epoch === epochs.validators.epoch ? validatorOf(epochs, proposer) : undefined;
  if (validator === undefined) {
    throw new ChainError('no_validator', `epoch ${epoch} has no validator ${proposer}`);
  }
  return {
    chainId: header.chain_id,
    height: header.height + 1n,
    timestampMs,
    baseFee: nextBaseFee(header),
    slotPrice: nextSlotPrice(header, slots),
    gasLimit: header.gas_limit,
    proposer: toHex(validator.address),
    ...(isDevelopmentChain(epochs.validators) ? { isDevelopment: true } : {}),
    ...(blocks.length === 0 ? {} : { pendingHashes: blocks.map(({ hash }) => hash).reverse() }),
  };
}

export interface FinishParts {
  readonly crypto: Crypto;
  readonly proofs: Pick<ProofService, 'blockRoots' | 'drop'>;
  readonly pending: PendingBlocks;
  readonly epochRules: Pick<EpochRules, 'next'>;
}

/** An executed block without its roots and header. */
export interface UnrootedBlock
  extends Omit<PendingBlock, 'header' | 'encodedHeader' | 'hash' | 'roots' | 'rootsMs'> {
  readonly next: NextBlock;
}

/**
 * Computes the roots of an executed block and builds its header. Does not add the block to the pending ones.
 * @param outcome result of its transactions and envelopes
 * @param opened what its keys opened; undefined if it has none
 */
export async function finishBlock(
  parts: FinishParts,
  next: NextBlock,
  outcome: ExecutedCandidates,
  protocolItems: ProtocolItems,
  opened: ExecutedOpenings | undefined,
): Promise<PendingBlock> {
  return rootedBlock(parts, await unrootedBlock(parts, next, outcome, protocolItems, opened));
}

/** Assembles the results of executing a block. Parameters as for {@link finishBlock}. */
export async function unrootedBlock(
  parts: Pick<FinishParts, 'crypto' | 'epochRules'>,
  next: NextBlock,
  outcome: ExecutedCandidates,
  { keys, dealings, changes, complaints }: ProtocolItems,
  opened: ExecutedOpenings | undefined,
): Promise<UnrootedBlock> {
  const both = opened === undefined ? outcome.executed : mergeOpenings(opened.executed, outcome.executed);
  const protocolItems = { keys, dealings, changes, complaints };
  const { executed, epochs } = await withEpochs(parts, next, both, protocolItems);
  await nextTick();
  const { before, after } = encodeProtocolItems(protocolItems);
  const encoded = outcome.transactions.map(encodeTransactionItem);
  const items = before.length + after.length === 0 ? encoded : [...before, ...encoded, ...after];
  return {
    ...outcome,
    ...protocolItems,
    next,
    executed,
    epochs,
    items,
    openings: opened?.openings ?? [],
    slots: slotsOf(outcome.transactions, next.env.gasLimit),
    receipts: executed.storedReceipts,
  };
}

/**
 * Computes the roots of an executed block and builds its header. The roots are requested before this function returns.
 * @param id the proof worker's id for the block; a new one by default
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
  const header: BlockHeader = {
    chain_id: env.chainId,
    height: env.height,
    parent_hash: context.parent,
    epoch: context.epoch,
    view: context.view,
    timestamp_ms: env.timestampMs,
    proposer: context.proposer,
    transactions_root: roots.transactionsRoot,
    receipts_root: roots.receiptsRoot,
    state_root: roots.stateRoot,
    history_root: roots.historyRoot,
    validators_hash: validatorsHash(crypto, parent.epochs.validators),
    gas_used: executed.gasUsed,
    gas_limit: env.gasLimit,
    base_fee: env.baseFee,
    seal_excess: nextSealExcess(parent.header, parent.slots),
    extra: new Uint8Array(0),
  };
  const encodedHeader = ledger.BlockHeader.encode(header);
  const hash = blockHash(crypto, encodedHeader);
  return { ...block, header, encodedHeader, hash, roots, rootsMs: performance.now() - started };
}

function slotsOf(transactions: ExecutedCandidates['transactions'], gasLimit: bigint): number {
  return transactions.reduce((sum, { signed }) => sum + reservedSlots(signed.transaction, gasLimit), 0);
}

/** Adds the effects of a block's dealings, changes and complaints to its execution result. */
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
