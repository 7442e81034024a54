import type { Hashes } from '../crypto/load-hashes.js';
import { toHex } from '../idl/hex.js';
import { be64 } from '../storage/big-endian.js';
import { oldestHeight, StateUnavailableError } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';
import { unpackByteList } from './byte-lists.js';
import { listRoot } from './list-root.js';
import type { BlockReply, BlockRequest, Tip } from './messages.js';
import { Mmr } from './mmr.js';
import { type KeptHeights, ProofError } from './proof-error.js';
import { encodeTreeProofs } from './proof-wire.js';
import { storedNode } from './stored-history.js';
import { KeptTree, type KeptTreeOptions } from './tree/kept-tree.js';
import { proveKeys } from './tree/key-proofs.js';
import { LeafHasher } from './tree/leaf-hashing.js';
import { OldTrees, type TreeAt } from './tree/old-trees.js';
import { ChangeList } from './tree/sorted-changes.js';
import type { StateTree } from './tree/state-tree.js';

/** What the core is opened with. */
export interface ProofCoreOptions extends Omit<KeptTreeOptions, 'cacheBytes'> {
  /** About what the trees may take in memory, in bytes. */
  readonly memoryBytes: number;
  /** How many heights below the last one have their trees served. */
  readonly proofWindow: bigint;
}

/** Of the memory: for the pages of the present tree, and of trees at earlier heights. The rest is for what changes and moves. */
const PRESENT_SHARE = 0.55;
const OLD_SHARE = 0.2;

/**
 * What the proof worker does, without the thread: keeps the state tree and the history MMR, and answers each block with its
 * roots.
 */
export class ProofCore {
  readonly #crypto: Hashes;
  readonly #leaves: LeafHasher;
  readonly #store: StoreReader;
  readonly #tree: KeptTree;
  readonly #old: OldTrees;
  readonly #window: bigint;
  readonly #mmr: Mmr;
  /** The height of the next block. */
  #next: bigint;
  /** Known for the first block after a start only. */
  #tip: Tip | undefined;
  #broken: ProofError | undefined;

  private constructor(options: ProofCoreOptions, tree: KeptTree, mmr: Mmr) {
    const { crypto, store, tip, memoryBytes, proofWindow } = options;
    this.#crypto = crypto;
    this.#leaves = new LeafHasher(crypto);
    this.#store = store;
    this.#tree = tree;
    this.#old = new OldTrees(crypto, store, memoryBytes * OLD_SHARE);
    this.#window = proofWindow;
    this.#mmr = mmr;
    this.#tip = tip;
    this.#next = tip === undefined ? 0n : tip.height + 1n;
  }

  /** @throws ProofError `root_mismatch`, `damaged` */
  static async open(options: ProofCoreOptions): Promise<ProofCore> {
    const { crypto, store, tip, memoryBytes } = options;
    // The MMR at the tip is over the blocks before it.
    const mmr = Mmr.open(crypto, tip?.height ?? 0n, (position) => storedNode(store, position));
    const tree = await KeptTree.open({ ...options, cacheBytes: memoryBytes * PRESENT_SHARE });
    return new ProofCore(options, tree, mmr);
  }

  /** Set once the tree or MMR can no longer be relied on. */
  get broken(): ProofError | undefined {
    return this.#broken;
  }

  /**
   * The roots of the next block.
   * @throws ProofError `out_of_order`, `invalid_input` (nothing has changed); any other (the core is {@link broken})
   */
  block(request: BlockRequest): BlockReply {
    if (this.#broken !== undefined) throw this.#broken;
    this.#checkOrder(request);
    const values = unpackByteList(request.values, request.changeCount);
    const changes = new ChangeList(this.#leaves, request.changeCount);
    for (let i = 0; i < values.length; i++) changes.add(request.keys, i * 32, values[i]);
    const sorted = changes.sorted();
    const transactionsRoot = this.#listRoot('items', request.items, request.itemCount);
    const receiptsRoot = this.#listRoot('receipts', request.receipts, request.receiptCount);
    try {
      const added = request.parentHash === undefined ? [] : this.#mmr.append(request.parentHash);
      const treeBatch = this.#tree.advance(request.height, sorted);
      this.#next = request.height + 1n;
      this.#tip = undefined;
      const mmrNodes = new Uint8Array(added.length * 32);
      for (const [index, { hash }] of added.entries()) mmrNodes.set(hash, index * 32);
      const roots = new Uint8Array(128);
      roots.set(this.#tree.root(), 0);
      roots.set(transactionsRoot, 32);
      roots.set(receiptsRoot, 64);
      roots.set(this.#mmr.root(), 96);
      return {
        type: 'block_done',
        roots,
        mmrPosition: added[0]?.position ?? 0n,
        mmrNodes,
        ...(treeBatch === undefined ? {} : { treeBatch }),
      };
    } catch (error) {
      throw this.#break(`the roots of block ${request.height}`, error);
    }
  }

  /**
   * Work that need not hold up an answer, in steps of few milliseconds: to be called after each block's.
   * @returns whether to call again when there is time
   * @throws ProofError after which the core is {@link broken}
   */
  rest(): boolean {
    if (this.#broken !== undefined) return false;
    try {
      return this.#tree.rest();
    } catch (error) {
      throw this.#break('storing the state tree', error);
    }
  }

  /**
   * Has the trees of these checkpoints stay when they leave the window, and of no others.
   * @returns those that there are, and what to write
   */
  keep(heights: readonly bigint[]): { readonly heights: readonly bigint[]; readonly batch: WriteBatch } {
    const batch = new WriteBatch();
    return { heights: this.#tree.marks.keep(batch, heights), batch };
  }

  /** What is to be dropped of trees that have left the window, as a batch: one step of it. */
  drop(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#broken !== undefined) return undefined;
    const step = this.#tree.marks.drop(this.#oldest);
    if (step === undefined) return undefined;
    this.#old.dropMarks(step.marks);
    return step.batch.finish();
  }

  /** Whether a height is that of the tree as it is: then it is proved at once, else it has to be worked out. */
  isPresent(height: bigint): boolean {
    return height === this.#next - 1n;
  }

  /**
   * Proofs in the tree as it is, of the last block given, which has been committed.
   * @returns an encoded list (proof-wire.ts)
   * @throws ProofError `invalid_input`; `damaged` (the core is {@link broken})
   */
  provePresent(at: TreeAt, keys: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      return this.#prove(this.#tree.tree, at, keys);
    } catch (error) {
      if (!(error instanceof ProofError) || error.code !== 'damaged') throw error;
      throw this.#break('a proof', error);
    }
  }

  /**
   * Proofs in the tree of an earlier height, worked out in slices of some milliseconds.
   * @returns an encoded list (proof-wire.ts)
   * @throws ProofError `state_unavailable`, `invalid_input`, `damaged`
   */
  *proveOld(at: TreeAt, keys: readonly Uint8Array[]): Generator<undefined, Uint8Array<ArrayBuffer>> {
    const { marks } = this.#tree;
    const isServed = at.height < this.#next && (at.height >= this.#oldest || marks.isKept(at.height));
    if (!isServed || at.height < oldestHeight(this.#store)) throw this.#unavailable(at.height);
    try {
      const tree = yield* this.#old.reach(at, () => this.#tree.storedMarks());
      return this.#prove(tree, at, keys);
    } catch (error) {
      if (error instanceof StateUnavailableError) throw this.#unavailable(at.height);
      if (error instanceof ProofError && error.code === 'state_unavailable') {
        throw new ProofError(error.code, error.message, { kept: this.#kept });
      }
      throw error;
    }
  }

  #prove(
    tree: StateTree,
    { height, stateRoot }: TreeAt,
    keys: readonly Uint8Array[],
  ): Uint8Array<ArrayBuffer> {
    if (Buffer.compare(tree.root(), stateRoot) !== 0) {
      throw new ProofError(
        'damaged',
        `the state tree of height ${height} has root ${toHex(tree.root())}, the block's header says ${toHex(stateRoot)}`,
      );
    }
    return encodeTreeProofs(proveKeys(this.#crypto, this.#store, tree, height, keys));
  }

  /** The oldest height that the window reaches to. */
  get #oldest(): bigint {
    const oldest = this.#next - 1n - this.#window;
    return oldest > 0n ? oldest : 0n;
  }

  get #kept(): KeptHeights {
    const newest = this.#next - 1n;
    const readable = oldestHeight(this.#store);
    return readable < this.#oldest ? { oldest: this.#oldest, newest } : { oldest: readable, newest };
  }

  #unavailable(height: bigint): ProofError {
    const kept = this.#kept;
    return new ProofError(
      'state_unavailable',
      `the state tree of height ${height} is not kept: expected ${kept.oldest} to ${kept.newest}, or a checkpoint`,
      { kept },
    );
  }

  #break(what: string, error: unknown): ProofError {
    const reason = error instanceof Error ? error.message : String(error);
    this.#broken =
      error instanceof ProofError
        ? error
        : new ProofError('worker_failed', `${what} failed: ${reason}`, { cause: error });
    return this.#broken;
  }

  /** The pages that are not stored yet, as a batch; nothing where the last block given was not committed. */
  finish(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#broken !== undefined) return undefined;
    const { size } = this.#mmr;
    // A block's MMR nodes are written in its own batch: they tell whether it was committed.
    const committed = size === 0n || this.#store.get('mmr', be64(size - 1n)) !== undefined;
    return committed ? this.#tree.finish() : undefined;
  }

  #checkOrder({ height, parentHash }: BlockRequest): void {
    if (height !== this.#next) {
      throw new ProofError('out_of_order', `block roots: expected height ${this.#next}, got ${height}`);
    }
    if ((height === 0n) !== (parentHash === undefined) || (parentHash?.length ?? 32) !== 32) {
      throw new ProofError(
        'invalid_input',
        `block roots at height ${height}: expected ${height === 0n ? 'no parent hash' : 'a parent hash of 32 bytes'}, got ${parentHash === undefined ? 'none' : `${parentHash.length} bytes`}`,
      );
    }
    if (
      this.#tip !== undefined &&
      parentHash !== undefined &&
      Buffer.compare(this.#tip.hash, parentHash) !== 0
    ) {
      throw new ProofError(
        'out_of_order',
        `block roots at height ${height}: expected the tip ${toHex(this.#tip.hash)} as parent, got ${toHex(parentHash)}`,
      );
    }
  }

  #listRoot(name: string, packed: Uint8Array, count: number): Uint8Array {
    const entries = unpackByteList(packed, count).map((entry) => {
      if (entry === undefined)
        throw new ProofError('invalid_input', `block roots: an entry of ${name} is absent`);
      return entry;
    });
    return listRoot(this.#crypto, entries);
  }
}
