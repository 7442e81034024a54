import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { BlockRoots, BlockRootsInput } from '../../src/proofs/block-roots.js';
import type { ProofService } from '../../src/proofs/proof-service.js';
import { writeTree } from '../../src/proofs/write-tree.js';
import { be64 } from '../../src/storage/big-endian.js';
import { appendStateChanges } from '../../src/storage/state.js';
import type { Store } from '../../src/storage/store.js';
import { type BatchPieces, WriteBatch } from '../../src/storage/write-batch.js';
import { hex } from '../support/hex.js';
import { type Model, naiveRoot } from './tree/tree-model.js';

export const sha256 = (...parts: readonly Uint8Array[]) =>
  Uint8Array.from(createHash('sha256').update(Buffer.concat(parts)).digest());
const text = (value: string) => new TextEncoder().encode(value);

/** The list root by the definition. */
function naiveListRoot(items: readonly Uint8Array[]): string {
  let layer: Uint8Array[] = items.map((item) => sha256(item));
  while (layer.length & (layer.length - 1)) layer.push(new Uint8Array(32));
  while (layer.length > 1) {
    layer = layer.flatMap((left, i) => (i % 2 === 0 ? [sha256(left, layer[i + 1] ?? assert.fail())] : []));
  }
  const length = new Uint8Array(32);
  new DataView(length.buffer).setUint32(0, items.length, true);
  return hex(sha256(layer[0] ?? new Uint8Array(32), length));
}

/** The MMR root by its definition over perfect trees: positions are counted while building left to right. */
function naiveHistoryRoot(leaves: readonly Uint8Array[]): string {
  let position = 0n;
  const build = (from: number, count: number): Uint8Array => {
    if (count === 1) {
      position++;
      return leaves[from] ?? assert.fail();
    }
    const left = build(from, count / 2);
    const right = build(from + count / 2, count / 2);
    position++;
    return sha256(be64(position), left, right);
  };
  const peaks: Uint8Array[] = [];
  for (let from = 0; from < leaves.length; ) {
    const count = 2 ** Math.floor(Math.log2(leaves.length - from));
    peaks.push(build(from, count));
    from += count;
  }
  return hex(sha256(be64(position), ...peaks));
}

interface ModelBlock {
  readonly hash: Uint8Array;
  readonly stateRoot: Uint8Array;
}

/** A chain of made-up blocks over a real store, with every root also computed from the definitions. */
export class ChainModel {
  readonly store: Store;
  readonly blocks: ModelBlock[] = [];
  readonly state: Model = new Map();

  constructor(store: Store) {
    this.store = store;
  }

  get tip() {
    const block = this.blocks[this.blocks.length - 1];
    return block && { height: BigInt(this.blocks.length - 1), hash: block.hash, stateRoot: block.stateRoot };
  }

  /** The next block: changes `count` of `accounts` accounts and deletes every fifth of those. */
  next(count: number, accounts: number): BlockRootsInput {
    const height = this.blocks.length;
    const changes = new Map<string, { key: Uint8Array; value: Uint8Array | undefined }>();
    for (let i = 0; i < count; i++) {
      const key = sha256(text(`account ${(height * 31 + i * 7) % accounts}`));
      changes.set(hex(key), { key, value: (i + height) % 5 === 4 ? undefined : text(`${height}.${i}`) });
    }
    return {
      height: BigInt(height),
      parentHash: this.tip?.hash,
      changes: [...changes.values()],
      items: Array.from({ length: count % 6 }, (_, i) => text(`item ${height}.${i}`)),
      receipts: Array.from({ length: count % 6 }, (_, i) => text(`receipt ${height}.${i}`)),
    };
  }

  /** Compares a block's roots with the definitions. */
  check(block: BlockRootsInput, roots: BlockRoots): void {
    const state: Model = new Map(this.state);
    for (const { key, value } of block.changes) {
      if (value === undefined) state.delete(hex(key));
      else state.set(hex(key), value);
    }
    assert.equal(hex(roots.stateRoot), naiveRoot(state), `state root at ${block.height}`);
    assert.equal(hex(roots.transactionsRoot), naiveListRoot(block.items));
    assert.equal(hex(roots.receiptsRoot), naiveListRoot(block.receipts));
    assert.equal(hex(roots.historyRoot), naiveHistoryRoot(this.blocks.map(({ hash }) => hash)));
  }

  /** Commits a block as the node does. */
  async commit(
    service: Pick<ProofService, 'commit'>,
    block: BlockRootsInput,
    roots: BlockRoots,
  ): Promise<void> {
    const batch = new WriteBatch();
    const previous = this.store.getMany(
      'state',
      block.changes.map(({ key }) => key),
    );
    appendStateChanges(
      batch,
      block.height,
      block.changes.map(({ key, value }, i) => ({ key, value, previous: previous[i] })),
    );
    for (const { position, hash } of roots.mmrNodes) batch.put('mmr', be64(position), hash);
    await this.store.write(batch, { sync: false });
    for (const { key, value } of block.changes) {
      if (value === undefined) this.state.delete(hex(key));
      else this.state.set(hex(key), value);
    }
    const hash = sha256(text(`block ${block.height}`));
    service.commit(roots.id, { height: block.height, hash });
    this.blocks.push({ hash, stateRoot: roots.stateRoot });
  }

  /** Writes tree pages as the node does. */
  async writeTree(encoded: BatchPieces | undefined): Promise<void> {
    await writeTree(this.store, encoded);
  }
}
