import { sameBytes } from '../base/same-bytes.js';
import { type Branch, PendingBlockState } from '../execution/pending-writes.js';
import type { BlockHeader } from '../generated/ledger.js';
import type { FinalityCertificate } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import type { SealedBlock } from '../ledger/block-store.js';
import type { BlockRoots } from '../proofs/block-roots.js';
import type { CommittedTip } from './chain.js';
import { ChainError } from './chain-error.js';
import type { EpochState } from './epochs/epoch-state.js';
import type { ExecutedCandidates } from './executed-candidates.js';
import type { ProtocolItems } from './protocol-items.js';

/** Pending blocks with transactions on one branch; above that only empty ones are proposed. */
export const MAX_FULL_BLOCKS_PER_BRANCH = 16;
/** Pending blocks beside the branch that one is put on. */
export const MAX_PENDING_BLOCKS = 256;

/** A block that was built or verified here and is not final. */
export interface PendingBlock extends SealedBlock, ProtocolItems, ExecutedCandidates {
  readonly keys: ProtocolItems['keys'];
  readonly transactions: ExecutedCandidates['transactions'];
  readonly roots: BlockRoots;
  /** What the state says of validators after it. */
  readonly epochs: EpochState;
  readonly rootsMs: number;
}

/** What a block is executed on: the last committed block, or one above it with the branch to it. */
export interface ExecutionParent extends CommittedTip {
  /** From the child of the last committed block to the parent; empty where that is the parent. */
  readonly blocks: readonly Pick<PendingBlock, 'hash' | 'items'>[];
  /** What they wrote. */
  readonly branch: Branch;
  /** What the proof worker knows the parent by; undefined where that is the last committed block. */
  readonly rootsId: number | undefined;
}

/** What a block is put on: the last committed block, or a pending one with the branch to it. */
export interface BlockParent extends ExecutionParent {
  readonly blocks: readonly PendingBlock[];
}

/** Blocks that become final together. */
export interface FinalizedSegment {
  /** Of the last one. */
  readonly certificate: FinalityCertificate;
  /** Their headers, lowest first. */
  readonly headers: readonly BlockHeader[];
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
  readonly #tip: () => CommittedTip;
  readonly #onDropped: (block: PendingBlock) => void;
  readonly #nodes = new Map<string, Node>();
  #bytes = 0;
  /** What is being committed, one after the other; undefined between commits. Those that are committed already stay in it. */
  committing: FinalizedSegment | undefined;

  /** @param onDropped told of each block that leaves without having been committed */
  constructor(tip: () => CommittedTip, onDropped: (block: PendingBlock) => void) {
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
    while (!sameBytes(wanted, tip.hash)) {
      const node = this.#nodes.get(toHex(wanted));
      if (node === undefined) return undefined;
      line.unshift(node);
      wanted = node.block.header.parent_hash;
    }
    const blocks = line.map(({ block }) => block);
    const { header, hash: name, epochs } = blocks.at(-1) ?? tip;
    const rootsId = blocks.at(-1)?.roots.id;
    return { header, hash: name, blocks, branch: line.map(({ state }) => state), epochs, rootsId };
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
   * The branch itself does not count: it is notarized, however long it takes to become final.
   * @throws ChainError `too_many_pending`
   */
  expectRoom(parent: BlockParent): void {
    if (this.#hasRoom(parent)) return;
    throw new ChainError('too_many_pending', `${MAX_PENDING_BLOCKS} blocks are pending already`);
  }

  #hasRoom({ blocks }: BlockParent): boolean {
    return this.#nodes.size - blocks.length < MAX_PENDING_BLOCKS;
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
      if (sameBytes(other.header.parent_hash, block.hash)) this.drop(other);
    }
  }

  #remove(block: PendingBlock): boolean {
    const name = toHex(block.hash);
    this.#bytes -= this.#nodes.get(name)?.bytes ?? 0;
    return this.#nodes.delete(name);
  }
}

/** Whether nothing but empty blocks may follow until some on the branch are final. */
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
