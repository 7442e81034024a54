import { ProofError } from '../proof-error.js';
import type { SortedChanges } from './sorted-changes.js';
import type { StateTree } from './state-tree.js';

const NO_CHANGES: SortedChanges = { count: 0, entries: new Int32Array(0), present: new Uint8Array(0) };
const NO_BYTES = new Uint8Array(0);

/** A block that the tree can stand on: the last committed one, or a pending one above it. */
export class TreeBlock {
  /** Undefined for the last committed one. */
  parent: TreeBlock | undefined;
  /** What it sets and deletes. */
  changes: SortedChanges;
  /** What that replaced: the same keys with what they had before. */
  replaced: SortedChanges;
  /** What it changes of the tree's top, encoded (tree-top.ts). */
  top: Uint8Array;

  constructor(parent?: TreeBlock, changes = NO_CHANGES, replaced = NO_CHANGES, top = NO_BYTES) {
    this.parent = parent;
    this.changes = changes;
    this.replaced = replaced;
    this.top = top;
  }

  /** Whether it is `other` or above it. */
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
 * 1. The tree has the state after one block at a time, the one that it stands on.
 * 2. On the way to another block it goes back to their last common ancestor over what each block replaced, and forward over
 *    what each changes; as a tree depends on its keys and values alone, its root is then that of the other block.
 * 3. What is committed is never gone back over.
 */
export class TreeBranches {
  readonly #tree: StateTree;
  #tip = new TreeBlock();
  #at = this.#tip;

  /** @param tree as the last committed block left it */
  constructor(tree: StateTree) {
    this.#tree = tree;
  }

  /** The last committed block. */
  get tip(): TreeBlock {
    return this.#tip;
  }

  /** Applies a block's changes on its parent, and stands on it. @throws ProofError `damaged` (the tree is of no more use) */
  apply(parent: TreeBlock, changes: SortedChanges): TreeBlock {
    this.moveTo(parent);
    const { count, entries } = changes;
    const replaced = { count, entries: entries.slice(), present: new Uint8Array(count) };
    const top = this.#tree.applySorted(changes, replaced, true);
    this.#at = new TreeBlock(parent, changes, replaced, top);
    return this.#at;
  }

  /** Has the tree stand on a block of a branch above the tip (rule 2). @throws ProofError `damaged`, `out_of_order` */
  moveTo(target: TreeBlock): void {
    if (this.#at === target) return;
    const forward: TreeBlock[] = [];
    let common = target;
    while (!this.#at.isOn(common)) {
      forward.push(common);
      if (common.parent === undefined) {
        throw new ProofError('out_of_order', 'state tree: the block is not on the committed one');
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
   * Makes a child of the last committed block the last committed one. The tree stands on it or above it afterwards.
   * @throws ProofError `out_of_order` where it is no such child, `damaged`
   */
  commit(block: TreeBlock): void {
    if (block.parent !== this.#tip) {
      throw new ProofError(
        'out_of_order',
        'state tree: the block to commit does not follow the last committed one',
      );
    }
    if (!this.#at.isOn(block)) this.moveTo(block);
    block.parent = undefined;
    block.changes = NO_CHANGES;
    block.replaced = NO_CHANGES;
    block.top = NO_BYTES;
    this.#tip = block;
  }
}
