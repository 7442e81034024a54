import type { Hashes } from '../crypto/load-hashes.js';
import { toHex } from '../idl/hex.js';
import { be64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import { unpackByteList } from './byte-lists.js';
import { listRoot } from './list-root.js';
import type { BlockReply, BlockRequest, Tip } from './messages.js';
import { Mmr } from './mmr.js';
import { ProofError } from './proof-error.js';
import { KeptTree, type KeptTreeOptions } from './tree/kept-tree.js';
import { sortChanges, type TreeChange } from './tree/sorted-changes.js';

/**
 * What the proof worker does, without the thread: keeps the state tree and the history MMR, and answers each block with its
 * roots.
 */
export class ProofCore {
  readonly #crypto: Hashes;
  readonly #store: StoreReader;
  readonly #tree: KeptTree;
  readonly #mmr: Mmr;
  /** The height of the next block. */
  #next: bigint;
  /** Known for the first block after a start only. */
  #tip: Tip | undefined;
  #broken: ProofError | undefined;

  private constructor({ crypto, store, tip }: KeptTreeOptions, tree: KeptTree, mmr: Mmr) {
    this.#crypto = crypto;
    this.#store = store;
    this.#tree = tree;
    this.#mmr = mmr;
    this.#tip = tip;
    this.#next = tip === undefined ? 0n : tip.height + 1n;
  }

  /** @throws ProofError `root_mismatch`, `damaged` */
  static async open(options: KeptTreeOptions): Promise<ProofCore> {
    const { crypto, store, tip } = options;
    // The MMR at the tip is over the blocks before it.
    const mmr = Mmr.open(crypto, tip?.height ?? 0n, (position) => storedNode(store, position));
    return new ProofCore(options, await KeptTree.open(options), mmr);
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
    const changes = values.map(
      (value, i): TreeChange => ({ key: request.keys.subarray(i * 32, i * 32 + 32), value }),
    );
    const sorted = sortChanges(this.#crypto, changes);
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
   * Work that need not hold up an answer: to be called after each block's.
   * @throws ProofError after which the core is {@link broken}
   */
  rest(): void {
    if (this.#broken !== undefined) return;
    try {
      this.#tree.prepare();
    } catch (error) {
      throw this.#break('storing the state tree', error);
    }
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

function storedNode(store: StoreReader, position: bigint): Uint8Array {
  const node = store.get('mmr', be64(position));
  if (node === undefined || node.length !== 32) {
    throw new ProofError(
      'damaged',
      `history MMR: expected 32 bytes at position ${position} of column mmr, got ${node === undefined ? 'nothing' : `${node.length} bytes`}; the data directory is damaged`,
    );
  }
  return node;
}
