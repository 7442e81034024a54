import { concatBytes } from '../base/concat-bytes.js';
import { errorMessage } from '../base/errors.js';
import { sameBytes } from '../base/same-bytes.js';
import { toHex } from '../idl/hex.js';
import { type BatchPieces, WriteBatch } from '../storage/write-batch.js';
import { unpackByteList } from './byte-lists.js';
import { listRoot } from './list-root.js';
import { Mmr } from './mmr.js';
import { ProofError } from './proof-error.js';
import type { BlockReply, BlockRequest, CommitRequest, Tip, TreeAt } from './proof-messages.js';
import { storedNodes } from './stored-history.js';
import { KeptTree, type KeptTreeOptions } from './tree/kept-tree.js';
import { proveTree } from './tree/key-proofs.js';
import { LeafHasher } from './tree/leaf-hashing.js';
import { ChangeList } from './tree/sorted-changes.js';
import type { TreeBlock } from './tree/tree-branches.js';

export interface ProofCoreOptions extends Omit<KeptTreeOptions, 'cacheBytes'> {
  readonly tip: Tip | undefined;
  /** Approximate memory budget for the trees, in bytes. */
  readonly memoryBytes: number;
  /** Number of heights below the last one whose trees are served. */
  readonly proofWindow: bigint;
}

/** Share of the memory for pages of the current tree; the rest is for trees of earlier heights and working data. */
const LATEST_SHARE = 0.55;

interface KnownBlock {
  /** Undefined for the tip that the core was opened with. */
  readonly id: number | undefined;
  /** Undefined before the genesis block. */
  readonly height: bigint | undefined;
  /** Undefined for a pending block: its roots are computed before its header exists. */
  readonly hash: Uint8Array | undefined;
  /** Over the blocks before this one. */
  readonly mmr: Mmr;
  readonly block: TreeBlock;
}

/**
 * The proof worker's logic, independent of its thread: keeps the state tree and the history MMR, and computes the roots
 * of blocks on any known parent. Only committed blocks are proved and stored.
 */
export class ProofCore {
  readonly #options: ProofCoreOptions;
  readonly #leaves: LeafHasher;
  readonly #tree: KeptTree;
  #tip: KnownBlock;
  readonly #pending = new Map<number, KnownBlock>();
  #broken: ProofError | undefined;

  private constructor(options: ProofCoreOptions, tree: KeptTree, mmr: Mmr) {
    const { crypto, tip } = options;
    this.#options = options;
    this.#leaves = new LeafHasher(crypto);
    this.#tree = tree;
    this.#tip = { id: undefined, height: tip?.height, hash: tip?.hash, mmr, block: tree.tip };
  }

  /** @throws ProofError `root_mismatch`, `damaged` */
  static async open(options: ProofCoreOptions): Promise<ProofCore> {
    const { crypto, store, tip, memoryBytes } = options;
    // The MMR at the tip covers the blocks before it.
    const mmr = Mmr.open(crypto, tip?.height ?? 0n, (positions) => storedNodes(store, positions));
    const tree = await KeptTree.open({ ...options, cacheBytes: memoryBytes * LATEST_SHARE }, tip);
    return new ProofCore(options, tree, mmr);
  }

  /** Set once the tree or the MMR is no longer reliable. */
  get broken(): ProofError | undefined {
    return this.#broken;
  }

  /**
   * Computes the roots of a block and makes it pending.
   * @throws ProofError `out_of_order`, `invalid_input` (nothing has changed); any other (the core is {@link broken})
   */
  block(request: BlockRequest): BlockReply {
    if (this.#broken !== undefined) throw this.#broken;
    const parent = this.#parentOf(request);
    const values = unpackByteList(request.values, request.changeCount);
    const changes = new ChangeList(this.#leaves, request.changeCount);
    for (let i = 0; i < values.length; i++) changes.add(request.keys, i * 32, values[i]);
    const sorted = changes.sorted();
    const transactionsRoot = this.#listRoot('items', request.items, request.itemCount);
    const receiptsRoot = this.#listRoot('receipts', request.receipts, request.receiptCount);
    try {
      const { id, height, parentHash } = request;
      const mmr = parent.mmr.clone();
      const added = parentHash === undefined ? [] : mmr.append(parentHash);
      const block = this.#tree.apply(parent.block, sorted);
      this.#pending.set(id, { id, height, hash: undefined, mmr, block });
      const mmrNodes = concatBytes(added.map(({ hash }) => hash));
      const roots = concatBytes([this.#tree.tree.root(), transactionsRoot, receiptsRoot, mmr.root()]);
      return { type: 'block_done', id, roots, mmrPosition: added[0]?.position ?? 0n, mmrNodes };
    } catch (error) {
      throw this.#break(`the roots of block ${request.height}`, error);
    }
  }

  /**
   * Commits a pending child of the last committed block; the store must already contain it. Drops pending blocks that
   * do not descend from it.
   * @throws ProofError after which the core is {@link broken}
   */
  commit({ id, hash }: Pick<CommitRequest, 'id' | 'hash'>): void {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      const pending = this.#pending.get(id);
      if (pending?.height === undefined) {
        throw new ProofError('out_of_order', `commit: there is no pending block ${id}`);
      }
      this.#pending.delete(id);
      for (const [other, { block }] of this.#pending) {
        if (!block.isOn(pending.block)) this.#pending.delete(other);
      }
      this.#tree.commit(pending.block, pending.height);
      this.#tip = { ...pending, hash };
    } catch (error) {
      throw this.#break('committing a block to the state tree', error);
    }
  }

  /** Drops a pending block and its descendants. */
  abandon(id: number): void {
    const dropped = this.#pending.get(id);
    if (dropped === undefined) return;
    for (const [other, { block }] of this.#pending) {
      if (block.isOn(dropped.block)) this.#pending.delete(other);
    }
  }

  /** Takes the batches with pages of committed trees that are due for writing, in order. */
  take(): readonly BatchPieces[] {
    return this.#broken === undefined ? this.#tree.take() : [];
  }

  /** Runs a little deferrable work; call after each commit. @returns true if more is left @throws ProofError (broken) */
  runIdleStep(): boolean {
    if (this.#broken !== undefined) return false;
    try {
      return this.#tree.runIdleStep();
    } catch (error) {
      throw this.#break('storing the state tree', error);
    }
  }

  /** Keeps the trees of exactly these checkpoints after they leave the window. @returns those whose trees exist */
  keep(heights: readonly bigint[]): { readonly heights: readonly bigint[]; readonly batch: WriteBatch } {
    const batch = new WriteBatch();
    return { heights: this.#tree.marks.keep(batch, heights), batch };
  }

  get keptMarks(): readonly bigint[] {
    return this.#tree.marks.kept;
  }

  /** Drops some trees that have left the window, one step per call; returns the deletions and the trees' marks. */
  drop(): { readonly batch: WriteBatch; readonly marks: readonly bigint[] } | undefined {
    return this.#broken === undefined ? this.#tree.drop(this.#oldest) : undefined;
  }

  isLatest(height: bigint): boolean {
    return height === this.#tip.height;
  }

  /**
   * Proves keys in the tree of the last committed block.
   * @returns an encoded list (proof-wire.ts)
   * @throws ProofError `invalid_input`; `damaged` (the core is {@link broken})
   */
  proveLatest(at: TreeAt, keys: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      this.#tree.moveToTip();
      return proveTree(this.#options, this.#tree.tree, at, keys);
    } catch (error) {
      if (!(error instanceof ProofError) || error.code !== 'damaged') throw error;
      throw this.#break('a proof', error);
    }
  }

  get #oldest(): bigint {
    const oldest = (this.#tip.height ?? -1n) - this.#options.proofWindow;
    return oldest > 0n ? oldest : 0n;
  }

  #break(what: string, error: unknown): ProofError {
    const reason = errorMessage(error);
    this.#broken =
      error instanceof ProofError
        ? error
        : new ProofError('worker_failed', `${what} failed: ${reason}`, { cause: error });
    return this.#broken;
  }

  /** The committed pages that are not stored yet, as a batch. */
  finish(): BatchPieces | undefined {
    return this.#broken === undefined ? this.#tree.finish() : undefined;
  }

  /** @throws ProofError `out_of_order`, `invalid_input` */
  #parentOf({ parent: id, height, parentHash }: BlockRequest): KnownBlock {
    // A parent that was pending when the request was made may be committed by now.
    const parent = id === undefined || id === this.#tip.id ? this.#tip : this.#pending.get(id);
    if (parent === undefined) {
      throw new ProofError('out_of_order', `block roots at height ${height}: unknown parent`);
    }
    const expected = (parent.height ?? -1n) + 1n;
    if (height !== expected) {
      throw new ProofError('out_of_order', `block roots: expected height ${expected}, got ${height}`);
    }
    if ((height === 0n) !== (parentHash === undefined) || (parentHash?.length ?? 32) !== 32) {
      const wanted = height === 0n ? 'no parent hash' : 'a parent hash of 32 bytes';
      const got = parentHash === undefined ? 'none' : `${parentHash.length} bytes`;
      throw new ProofError(
        'invalid_input',
        `block roots at height ${height}: expected ${wanted}, got ${got}`,
      );
    }
    const { hash } = parent;
    if (hash !== undefined && parentHash !== undefined && !sameBytes(hash, parentHash)) {
      throw new ProofError(
        'out_of_order',
        `block roots at height ${height}: expected the tip ${toHex(hash)} as parent, got ${toHex(parentHash)}`,
      );
    }
    return parent;
  }

  #listRoot(name: string, packed: Uint8Array, count: number): Uint8Array {
    const entries = unpackByteList(packed, count).map((entry) => {
      if (entry === undefined)
        throw new ProofError('invalid_input', `block roots: an entry of ${name} is absent`);
      return entry;
    });
    return listRoot(this.#options.crypto, entries);
  }
}
