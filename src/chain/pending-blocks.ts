import { sameBytes } from '../base/same-bytes.js';
import { type Branch, PendingBlockState } from '../execution/pending-writes.js';
import type { BlockHeader } from '../generated/ledger.js';
import type { FinalityCertificate } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import type { SealedBlock } from '../ledger/block-store.js';
import type { BlockRoots } from '../proofs/block-roots.js';
import type { ProofService } from '../proofs/proof-service.js';
import type { Chain, CommittedTip } from './chain.js';
import { ChainError } from './chain-error.js';
import type { EpochState } from './epochs/epoch-state.js';
import type { ExecutedCandidates } from './executed-candidates.js';
import type { ProtocolItems } from './protocol-items.js';

/** Maximum number of pending non-empty blocks on a branch; beyond it, only empty blocks are proposed. */
export const MAX_FULL_BLOCKS_PER_BRANCH = 16;
/** Maximum number of pending blocks outside the branch that a new block extends. */
export const MAX_PENDING_BLOCKS = 256;

/** A block built or verified on this node that is not final yet. */
export interface PendingBlock extends SealedBlock, ProtocolItems, ExecutedCandidates {
  readonly keys: ProtocolItems['keys'];
  readonly transactions: ExecutedCandidates['transactions'];
  readonly roots: BlockRoots;
  readonly epochs: EpochState;
  /** Number of opening slots reserved by the block. */
  readonly slots: number;
  readonly rootsMs: number;
}

/** Parent for execution: the last committed block, or a block above it with its branch. */
export interface ExecutionParent extends CommittedTip {
  /** From the child of the last committed block up to the parent; empty if the parent is the committed block. */
  readonly blocks: readonly Pick<PendingBlock, 'hash' | 'items'>[];
  /** Writes of {@link blocks}. */
  readonly branch: Branch;
  /** The proof worker's id of the parent; undefined if the parent is the last committed block. */
  readonly rootsId: number | undefined;
}

/** Parent of a new block: the last committed block, or a pending one with its branch. */
export interface BlockParent extends ExecutionParent {
  readonly blocks: readonly PendingBlock[];
}

/** Blocks that become final together. */
export interface FinalizedSegment {
  readonly certificate: FinalityCertificate;
  /** Headers of the blocks, lowest first. */
  readonly headers: readonly BlockHeader[];
}

interface Node {
  readonly block: PendingBlock;
  readonly state: PendingBlockState;
  readonly bytes: number;
}

/** Tree of the blocks above the tip. A commit drops those that do not descend from the new tip. */
export class PendingBlocks {
  readonly #tip: () => CommittedTip;
  readonly #onDropped: (block: PendingBlock) => void;
  readonly #nodes = new Map<string, Node>();
  #bytes = 0;
  /** The blocks being committed one by one, including those already committed; undefined between commits. */
  committing: FinalizedSegment | undefined;

  /** @param onDropped called with each block that leaves without being committed */
  constructor(tip: () => CommittedTip, onDropped: (block: PendingBlock) => void) {
    this.#tip = tip;
    this.#onDropped = onDropped;
  }

  /** Blocks above a chain's tip, whose roots the proof worker drops with them. */
  static over(chain: Pick<Chain, 'tip'>, proofs: Pick<ProofService, 'drop'>): PendingBlocks {
    return new PendingBlocks(
      () => chain.tip,
      ({ roots }) => proofs.drop(roots.id),
    );
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Approximate size of the pending items, receipts and writes. */
  get bytes(): number {
    return this.#bytes;
  }

  get(hash: Uint8Array): PendingBlock | undefined {
    return this.#nodes.get(toHex(hash))?.block;
  }

  /** The parent with this hash; undefined if it is neither the tip nor pending above it. */
  parent(hash: Uint8Array): BlockParent | undefined {
    const line: Node[] = [];
    const tip = this.#tip();
    let wanted = hash;
    while (!sameBytes(wanted, tip.hash)) {
      const node = this.#nodes.get(toHex(wanted));
      if (node === undefined) return undefined;
      line.unshift(node);
      wanted = node.block.header.parent_hash;
    }
    const blocks = line.map(({ block }) => block);
    const { header, hash: name, epochs, slots } = blocks.at(-1) ?? tip;
    const rootsId = blocks.at(-1)?.roots.id;
    const branch = line.map(({ state }) => state);
    return { header, hash: name, blocks, branch, epochs, slots, rootsId };
  }

  /**
   * Adds a block unless it is already pending, and returns the pending one.
   * @throws ChainError `unknown_parent` if its parent is neither the tip nor pending, `too_many_pending`
   */
  add(block: PendingBlock): PendingBlock {
    const present = this.get(block.hash);
    if (present !== undefined) {
      this.#onDropped(block);
      return present;
    }
    const parent = this.parent(block.header.parent_hash);
    if (parent === undefined) {
      this.#onDropped(block);
      throw new ChainError('unknown_parent', `block ${block.header.height}: its parent is no longer pending`);
    }
    if (!this.#hasRoom(parent)) this.#onDropped(block);
    this.expectRoom(parent);
    const bytes = bytesOf(block);
    const state = new PendingBlockState(block.header.height, block.executed);
    this.#nodes.set(toHex(block.hash), { block, state, bytes });
    this.#bytes += bytes;
    return block;
  }

  /**
   * Checks the limit for pending blocks. The branch itself does not count: it is notarized, however long it takes to
   * become final.
   * @throws ChainError `too_many_pending`
   */
  expectRoom(parent: BlockParent): void {
    if (this.#hasRoom(parent)) return;
    throw new ChainError('too_many_pending', `${MAX_PENDING_BLOCKS} blocks are pending already`);
  }

  #hasRoom({ blocks }: BlockParent): boolean {
    return this.#nodes.size - blocks.length < MAX_PENDING_BLOCKS;
  }

  /** Removes a block that has just become the tip, and drops all blocks that do not descend from it. */
  settle(committed: PendingBlock): void {
    this.#remove(committed);
    for (const { block } of [...this.#nodes.values()]) {
      if (this.parent(block.hash) === undefined) this.drop(block);
    }
  }

  drop(block: PendingBlock): void {
    if (!this.#remove(block)) return;
    this.#onDropped(block);
    for (const { block: other } of [...this.#nodes.values()]) {
      if (sameBytes(other.header.parent_hash, block.hash)) this.drop(other);
    }
  }

  #remove(block: PendingBlock): boolean {
    const name = toHex(block.hash);
    this.#bytes -= this.#nodes.get(name)?.bytes ?? 0;
    return this.#nodes.delete(name);
  }
}

/** True if only empty blocks may follow until some blocks of the branch are final. */
export function isFull({ blocks }: Pick<ExecutionParent, 'blocks'>): boolean {
  return blocks.filter(({ items }) => items.length > 0).length >= MAX_FULL_BLOCKS_PER_BRANCH;
}

function bytesOf({ items, receipts, executed }: PendingBlock): number {
  let bytes = 0;
  for (const item of items) bytes += item.length;
  for (const receipt of receipts) bytes += receipt.length;
  for (const { key, value } of executed.writes) bytes += key.length + (value?.length ?? 0);
  for (const { bytes: code } of executed.codes) bytes += code.length;
  return bytes;
}
