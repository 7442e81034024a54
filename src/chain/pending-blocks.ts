import { type Branch, PendingBlockState } from '../execution/pending-writes.js';
import { toHex } from '../idl/hex.js';
import type { SealedBlock } from '../ledger/block-store.js';
import type { BlockRoots } from '../proofs/block-roots.js';
import type { ChainTip } from './chain.js';
import { ChainError } from './chain-error.js';
import type { ExecutedCandidates } from './executed-candidates.js';

/** Pending blocks with transactions on one branch; above that only empty ones are proposed. */
export const MAX_FULL_BLOCKS_A_BRANCH = 16;
/** Pending blocks on all branches. */
export const MAX_PENDING_BLOCKS = 256;

/** A block that was built or verified here and is not final. */
export interface PendingBlock extends SealedBlock, ExecutedCandidates {
  readonly transactions: ExecutedCandidates['transactions'];
  readonly roots: BlockRoots;
  readonly rootsMs: number;
}

/** What a block is put on: the last committed block, or a pending one with the branch to it. */
export interface BlockParent extends ChainTip {
  /** From the child of the last committed block to the parent; empty where that is the parent. */
  readonly blocks: readonly PendingBlock[];
  /** What they wrote. */
  readonly branch: Branch;
}

interface Node {
  readonly block: PendingBlock;
  readonly state: PendingBlockState;
  readonly bytes: number;
}

/**
 * The tree of pending blocks above the last committed one, by hash. Its size is bounded; a commit drops what does not descend
 * from the new tip.
 */
export class PendingBlocks {
  readonly #tip: () => ChainTip;
  readonly #onDropped: (block: PendingBlock) => void;
  readonly #nodes = new Map<string, Node>();
  #bytes = 0;

  /** @param onDropped told of each block that leaves without having been committed */
  constructor(tip: () => ChainTip, onDropped: (block: PendingBlock) => void) {
    this.#tip = tip;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** About what they take: their items, receipts and writes. */
  get bytes(): number {
    return this.#bytes;
  }

  get(hash: Uint8Array): PendingBlock | undefined {
    return this.#nodes.get(toHex(hash))?.block;
  }

  /** What a block with this parent is put on; undefined where the parent is neither the tip nor pending above it. */
  parent(hash: Uint8Array): BlockParent | undefined {
    const line: Node[] = [];
    const tip = this.#tip();
    let wanted = hash;
    while (Buffer.compare(wanted, tip.hash) !== 0) {
      const node = this.#nodes.get(toHex(wanted));
      if (node === undefined) return undefined;
      line.unshift(node);
      wanted = node.block.header.parent_hash;
    }
    const blocks = line.map(({ block }) => block);
    const { header, hash: name } = blocks.at(-1) ?? tip;
    return { header, hash: name, blocks, branch: line.map(({ state }) => state) };
  }

  /**
   * Adds a block, unless it is there.
   * @throws ChainError `unknown_parent` where its parent is neither the tip nor pending, `too_many_pending`
   */
  add(block: PendingBlock): PendingBlock {
    const present = this.get(block.hash);
    if (present !== undefined) {
      this.#onDropped(block);
      return present;
    }
    if (this.parent(block.header.parent_hash) === undefined) {
      this.#onDropped(block);
      throw new ChainError('unknown_parent', `block ${block.header.height}: its parent is no longer pending`);
    }
    if (this.#nodes.size >= MAX_PENDING_BLOCKS) this.#onDropped(block);
    this.expectRoom();
    const bytes = bytesOf(block);
    const state = new PendingBlockState(block.header.height, block.executed);
    this.#nodes.set(toHex(block.hash), { block, state, bytes });
    this.#bytes += bytes;
    return block;
  }

  /** @throws ChainError `too_many_pending` */
  expectRoom(): void {
    if (this.#nodes.size < MAX_PENDING_BLOCKS) return;
    throw new ChainError('too_many_pending', `${MAX_PENDING_BLOCKS} blocks are pending already`);
  }

  /** Takes a child of the tip out, which is the tip from now on, and drops what is not on it. To be called once it is the tip. */
  settle(committed: PendingBlock): void {
    this.#remove(committed);
    for (const { block } of [...this.#nodes.values()]) {
      if (this.parent(block.hash) === undefined) this.drop(block);
    }
  }

  /** Drops a block. Those on it are of no more use, and are dropped with it. */
  drop(block: PendingBlock): void {
    if (!this.#remove(block)) return;
    this.#onDropped(block);
    for (const { block: other } of [...this.#nodes.values()]) {
      if (Buffer.compare(other.header.parent_hash, block.hash) === 0) this.drop(other);
    }
  }

  #remove(block: PendingBlock): boolean {
    const name = toHex(block.hash);
    this.#bytes -= this.#nodes.get(name)?.bytes ?? 0;
    return this.#nodes.delete(name);
  }
}

function bytesOf({ items, receipts, executed }: PendingBlock): number {
  let bytes = 0;
  for (const item of items) bytes += item.length;
  for (const receipt of receipts) bytes += receipt.length;
  for (const { key, value } of executed.writes) bytes += key.length + (value?.length ?? 0);
  for (const { bytes: code } of executed.codes) bytes += code.length;
  return bytes;
}
