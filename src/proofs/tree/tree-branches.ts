import { ProofError } from '../proof-error.js';
import type { SortedChanges } from './sorted-changes.js';
import type { StateTree } from './state-tree.js';

const NO_CHANGES: SortedChanges = { count: 0, entries: new Int32Array(0), present: new Uint8Array(0) };
const NO_BYTES = new Uint8Array(0);

/** A block that the tree can be at: the last committed one, or a pending one above it. */
export class TreeBlock {
  /** Undefined for the last committed block. */
  parent: TreeBlock | undefined;

  constructor(
    parent?: TreeBlock,
    public changes = NO_CHANGES,
    /** Previous entries of the keys in `changes`. */
    public replaced = NO_CHANGES,
    /** Changes of the tree's top, encoded (tree-top.ts). */
    public top = NO_BYTES,
  ) {
    this.parent = parent;
  }

  /** True if this is `other` or a descendant of it. */
  isOn(other: TreeBlock): boolean {
    for (let block: TreeBlock | undefined = this; block !== undefined; block = block.parent) {
      if (block === other) return true;
    }
    return false;
  }
}

/**
 * One state tree for all pending blocks.
 *
 * 1. The tree has the state after one block at a time, its current block.
 * 2. To move to another block, it goes back to their last common ancestor by undoing each block's changes, and forward
 *    by applying each block's changes. A tree depends on its keys and values alone, so its root is then that of the
 *    other block.
 * 3. Committed changes are never undone.
 */
export class TreeBranches {
  readonly #tree: StateTree;
  /** The last committed block. */
  tip = new TreeBlock();
  #at = this.tip;

  /** @param tree the tree of the last committed block */
  constructor(tree: StateTree) {
    this.#tree = tree;
  }

  /** Moves to the parent and applies its child's changes. @throws ProofError `damaged` (the tree is unusable) */
  apply(parent: TreeBlock, changes: SortedChanges): TreeBlock {
    this.moveTo(parent);
    const { count, entries } = changes;
    const replaced = { count, entries: entries.slice(), present: new Uint8Array(count) };
    const top = this.#tree.applySorted(changes, replaced, true);
    this.#at = new TreeBlock(parent, changes, replaced, top);
    return this.#at;
  }

  /** Moves the tree to a block of a branch above the tip (rule 2). @throws ProofError `damaged`, `out_of_order` */
  moveTo(target: TreeBlock): void {
    if (this.#at === target) return;
    const forward: TreeBlock[] = [];
    let common = target;
    while (!this.#at.isOn(common)) {
      forward.push(common);
      if (common.parent === undefined) {
        const why = 'state tree: the block does not descend from the last committed one';
        throw new ProofError('out_of_order', why);
      }
      common = common.parent;
    }
    for (let block = this.#at; block !== common && block.parent !== undefined; block = block.parent) {
      this.#tree.applySorted(block.replaced);
    }
    for (const block of forward.reverse()) this.#tree.applySorted(block.changes);
    this.#at = target;
  }

  /**
   * Commits a child of the last committed block. The tree is then at this block or above it.
   * @throws ProofError `out_of_order` if the block is not such a child, `damaged`
   */
  commit(block: TreeBlock): void {
    if (block.parent !== this.tip) {
      const why = 'state tree: the block to commit does not follow the last committed one';
      throw new ProofError('out_of_order', why);
    }
    if (!this.#at.isOn(block)) this.moveTo(block);
    block.parent = undefined;
    block.changes = NO_CHANGES;
    block.replaced = NO_CHANGES;
    block.top = NO_BYTES;
    this.tip = block;
  }
}
