import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Crypto } from '../crypto/crypto.js';
import type { BlockEnvironment } from '../execution/block-environment.js';
import type { Branch } from '../execution/pending-writes.js';
import type { BlockHeader } from '../generated/ledger.js';
import { ledger } from '../ledger/codecs.js';
import { nextBaseFee } from '../ledger/fees.js';
import { blockHash, validatorsHash } from '../ledger/header.js';
import { encodeTransactionItem } from '../ledger/transaction-envelope.js';
import type { BlockRoots } from '../proofs/block-roots.js';
import type { ProofService } from '../proofs/proof-service.js';
import type { Chain, ChainTip } from './chain.js';
import { ChainError } from './chain-error.js';
import type { ExecutedCandidates } from './executed-candidates.js';
import type { BlockParent, PendingBlock, PendingBlocks } from './pending-blocks.js';

/** Who makes a block, and when, as agreement has it. */
export interface BlockContext {
  /** Hash of the parent: the tip or a pending block. 32 bytes. */
  readonly parent: Uint8Array;
  readonly epoch: bigint;
  readonly view: bigint;
  /** Index in the epoch's validator set. */
  readonly proposer: number;
}

/** What candidates are executed on. */
export interface ExecutionBase {
  readonly env: BlockEnvironment;
  /** The pending blocks between the last committed one and the block; empty on the committed one itself. */
  readonly branch: Branch;
}

/** What a block is made of, until it is executed. */
export interface NextBlock extends ExecutionBase {
  readonly context: BlockContext;
  readonly parent: BlockParent;
}

/**
 * The block after a parent.
 * @throws ChainError `no_validator` where the epoch's set has no such proposer
 */
export function nextBlock(
  chain: Pick<Chain, 'validatorAt'>,
  parent: BlockParent,
  context: BlockContext,
  timestampMs: bigint,
): NextBlock {
  return {
    context,
    parent,
    branch: parent.branch,
    env: nextEnvironment(chain, parent, context, timestampMs),
  };
}

/** What the block after a parent is executed in. @throws ChainError `no_validator` */
export function nextEnvironment(
  chain: Pick<Chain, 'validatorAt'>,
  { header, blocks = [] }: Pick<ChainTip, 'header'> & Partial<Pick<BlockParent, 'blocks'>>,
  { epoch, proposer }: Pick<BlockContext, 'epoch' | 'proposer'>,
  timestampMs: bigint,
): BlockEnvironment {
  const validator = chain.validatorAt(epoch, proposer);
  if (validator === undefined) {
    throw new ChainError('no_validator', `epoch ${epoch} has no validator ${proposer}`);
  }
  return {
    chainId: header.chain_id,
    height: header.height + 1n,
    timestampMs,
    baseFee: nextBaseFee(header),
    gasLimit: header.gas_limit,
    proposer: Buffer.from(validator.address).toString('hex'),
    ...(blocks.length === 0 ? {} : { pendingHashes: blocks.map(({ hash }) => hash).reverse() }),
  };
}

/** What blocks are finished with. */
export interface FinishParts {
  readonly chain: Pick<Chain, 'validatorsAt'>;
  readonly crypto: Crypto;
  readonly proofs: Pick<ProofService, 'blockRoots' | 'drop'>;
  readonly pending: PendingBlocks;
}

/** Has the roots of an executed block computed and makes its header. The block is not in the tree of pending ones yet. */
export async function finishBlock(
  { chain, crypto, proofs }: FinishParts,
  next: NextBlock,
  outcome: ExecutedCandidates,
): Promise<PendingBlock> {
  const { executed } = outcome;
  await nextTurn();
  const started = performance.now();
  const items = outcome.transactions.map(encodeTransactionItem);
  const roots = await proofs.blockRoots({
    parent: next.parent.blocks.at(-1)?.roots.id,
    height: next.env.height,
    parentHash: next.parent.hash,
    changes: executed.writes,
    items,
    receipts: executed.receipts,
  });
  const { context, env } = next;
  const validators = validatorsHash(crypto, chain.validatorsAt(context.epoch));
  const header = headerOf(context, env, { gasUsed: executed.gasUsed, roots, validators });
  const encodedHeader = ledger.BlockHeader.encode(header);
  return {
    ...outcome,
    header,
    encodedHeader,
    hash: blockHash(crypto, encodedHeader),
    items,
    receipts: executed.storedReceipts,
    roots,
    rootsMs: performance.now() - started,
  };
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
