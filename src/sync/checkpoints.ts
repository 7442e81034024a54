import { sameBytes } from '../base/same-bytes.js';
import type { Chain } from '../chain/chain.js';
import type { ChainTip } from '../chain/committed-chain.js';
import type { BlockHeader } from '../generated/ledger.js';
import type { CheckpointDescriptor } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import type { BlockReader } from '../ledger/block-store.js';
import { CheckpointReader, deleteCheckpoint, putCheckpoint } from '../ledger/checkpoint-store.js';
import type { CutState } from '../proofs/snapshot/cut.js';
import { oldestHeight } from '../storage/state.js';
import type { Store } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';
import { SnapshotError } from './snapshot-error.js';

export interface CheckpointsOptions {
  readonly store: Store;
  readonly chain: { readonly tip: ChainTip } & Pick<Chain, 'onCommit'>;
  readonly blocks: Pick<BlockReader, 'header'>;
  /** Blocks between checkpoints; 0 disables them. */
  readonly interval: bigint;
  /** Number of checkpoints to keep, at least 1; fewer if the state of older ones has been pruned. */
  readonly kept: number;
  /** Cuts the committed state at a height into chunks. */
  readonly cut: (height: bigint, signal: AbortSignal) => Promise<CutState>;
  /** Called with each new checkpoint and the set it belongs to. */
  readonly onCut?: (checkpoint: CheckpointDescriptor, all: Checkpoints) => void;
  /** Called when cutting a checkpoint fails; the next one is attempted as usual. */
  readonly onError: (error: unknown) => void;
}

interface CutRequest {
  readonly height: bigint;
  readonly resolve: (checkpoint: CheckpointDescriptor) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Maintains a chain's checkpoints: cuts one at each multiple of the interval, shortly after its block commits, and
 * deletes the oldest. A checkpoint is stored whole or not at all; one interrupted by a stop is cut again at the next
 * start.
 */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #reader: CheckpointReader;
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  #latest: CheckpointDescriptor | undefined;
  #cutting: Promise<void> | undefined;
  readonly #requests: CutRequest[] = [];
  /** Height of the newest block due for a checkpoint. */
  #due: bigint | undefined;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#reader = new CheckpointReader(options.store);
    [this.#latest] = this.#reader.before();
    const { chain, interval } = options;
    if (interval === 0n) {
      this.#unsubscribe = () => undefined;
      return;
    }
    this.#unsubscribe = chain.onCommit('checkpoints', ({ header }) => this.#committed(header.height));
    // Cuts the last due checkpoint if a stop interrupted it.
    this.#committed(chain.tip.header.height - (chain.tip.header.height % interval));
  }

  /** The newest checkpoint that can be served. */
  get latest(): CheckpointDescriptor | undefined {
    const latest = this.#latest;
    return latest === undefined || latest.height < oldestHeight(this.#options.store) ? undefined : latest;
  }

  /** The checkpoint at a height, if it can be served. */
  get(height: bigint): CheckpointDescriptor | undefined {
    return height < oldestHeight(this.#options.store) ? undefined : this.#reader.get(height);
  }

  /** Servable checkpoints below a height, by default all, newest first. */
  *before(height?: bigint): IterableIterator<CheckpointDescriptor> {
    const oldest = oldestHeight(this.#options.store);
    for (const checkpoint of this.#reader.before(height)) {
      if (checkpoint.height < oldest) return;
      yield checkpoint;
    }
  }

  /**
   * Cuts a checkpoint at a height whose state is kept, unless there is one.
   * @throws SnapshotError `no_checkpoint` for any other height, `malformed`, `incomplete` when the node stops
   */
  async cutAt(height: bigint): Promise<CheckpointDescriptor> {
    const known = this.get(height);
    if (known !== undefined) return known;
    this.#stopping.signal.throwIfAborted();
    const { store, chain } = this.#options;
    const oldest = oldestHeight(store);
    const from = oldest > 0n ? oldest : 1n;
    const { height: tip } = chain.tip.header;
    if (height < from || height > tip) {
      throw new SnapshotError('no_checkpoint', `expected a height from ${from} to ${tip}, got ${height}`);
    }
    return new Promise((resolve, reject) => {
      this.#requests.push({ height, resolve, reject });
      this.#start();
    });
  }

  /** Aborts the current cut and waits for it. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    const stopping = new SnapshotError('incomplete', 'the node is stopping');
    this.#stopping.abort(stopping);
    for (const { reject } of this.#requests.splice(0)) reject(stopping);
    await this.#cutting;
  }

  #committed(height: bigint): void {
    const { interval, store } = this.#options;
    if (height === 0n || height % interval !== 0n || height <= (this.#latest?.height ?? 0n)) return;
    if (height < oldestHeight(store)) return;
    this.#due = height;
    this.#start();
  }

  #start(): void {
    this.#cutting ??= this.#cutAll().finally(() => {
      this.#cutting = undefined;
      // Something may have come after the last look.
      if (this.#requests.length > 0) this.#start();
    });
  }

  /** Cuts requested and due checkpoints. Requests come first: a fast chain may always have one that is due. */
  async #cutAll(): Promise<void> {
    for (;;) {
      const request = this.#requests.shift();
      if (request !== undefined) {
        await this.#cut(request.height).then(request.resolve, request.reject);
        continue;
      }
      const height = this.#due;
      if (height === undefined) return;
      this.#due = undefined;
      try {
        await this.#cut(height);
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#options.onError(error);
      }
    }
  }

  async #cut(height: bigint): Promise<CheckpointDescriptor> {
    const { store, blocks, cut, kept, onCut } = this.#options;
    const block = blocks.header(height);
    if (block === undefined) throw new SnapshotError('no_checkpoint', `block ${height} is not in the store`);
    const state = await cut(height, this.#stopping.signal);
    const checkpoint = describeCheckpoint(block, state);
    const batch = new WriteBatch();
    putCheckpoint(batch, checkpoint, state.chunks);
    const others = [...this.#reader.before()].filter((other) => other.height !== height);
    for (const old of others.slice(kept - 1)) deleteCheckpoint(batch, old);
    await store.write(batch, { sync: false });
    if (checkpoint.height > (this.#latest?.height ?? 0n)) this.#latest = checkpoint;
    onCut?.(checkpoint, this);
    return checkpoint;
  }
}

/** @throws SnapshotError `malformed` if the state does not have the header's state root */
export function describeCheckpoint(
  { header, hash }: { readonly header: BlockHeader; readonly hash: ChainTip['hash'] },
  cut: CutState,
): CheckpointDescriptor {
  if (!sameBytes(cut.stateRoot, header.state_root)) {
    throw new SnapshotError(
      'malformed',
      `the stored state at height ${header.height} has root ${toHex(cut.stateRoot)}, the block's header says ${toHex(header.state_root)}`,
    );
  }
  return {
    height: header.height,
    block_hash: hash,
    state_root: header.state_root,
    history_root: header.history_root,
    entries: cut.entries,
    bytes: cut.bytes,
    chunk_count: cut.chunks.length,
    chunks_root: cut.chunksRoot,
    created_ms: header.timestamp_ms,
  };
}
