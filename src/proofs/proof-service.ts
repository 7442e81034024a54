import { type Caller, NODE_ITSELF } from '../async/caller.js';
import { ServiceThread } from '../async/service-thread.js';
import { errorMessage } from '../base/errors.js';
import type { NativeMode } from '../config/native-mode.js';
import type { TreeProof } from '../generated/node-rpc-v1.js';
import type { StoreHandle } from '../storage/store.js';
import type { BatchPieces } from '../storage/write-batch.js';
import { type BlockRoots, type BlockRootsInput, decodeRoots, encodeBlock } from './block-roots.js';
import { KeyRequests } from './key-requests.js';
import { OldProofs } from './old-proofs.js';
import { ProofError } from './proof-error.js';
import type {
  BlockReply,
  KeepRequest,
  ProofProgress,
  ProofReply,
  ProofRequest,
  ProofWorkerData,
  ProveRequest,
  Tip,
  TreeAt,
} from './proof-messages.js';

const DEFAULT_MEMORY_BYTES = 512 * 1024 * 1024;
const DEFAULT_PROOF_WINDOW = 1_024;
const DEFAULT_CHECKPOINT_INTERVAL = 1_000;

/** Share of the memory for trees at earlier heights. */
const OLD_SHARE = 0.2;

/** A block's data becomes garbage immediately, so a small young generation saves memory at no cost. */
const YOUNG_GENERATION_MB = 8;

export interface ProofServiceOptions {
  /** Store from which the worker reads state, tree and MMR. */
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** The last committed block; undefined if the store has no blocks. */
  readonly tip: Tip | undefined;
  /** Called with the progress of a replay or a rebuild during the start. */
  readonly onProgress: (progress: ProofProgress) => void;
  /** Called once when the service fails; every later call rejects with the same error. */
  readonly onFailure?: (error: ProofError) => void;
  /** Writes an encoded batch of tree pages atomically, occasionally after a commit; need not be synced. */
  readonly writeTree: (encoded: BatchPieces) => Promise<void>;
  /** Approximate memory budget for the trees, in bytes; default 512 MiB. */
  readonly memoryBytes?: number;
  /** Number of heights below the last one whose trees are served; default 1,024. */
  readonly proofWindow?: number;
  /** Distance between checkpoints, whose trees can be kept, in heights; 0 for none, default 1,000. */
  readonly checkpointInterval?: number;
}

interface Waiting<T> {
  readonly resolve: (result: T) => void;
  readonly reject: (error: ProofError) => void;
}

/** The main thread's interface to the proof worker, which keeps the state tree and the history MMR. */
export class ProofService {
  readonly #thread: ServiceThread<ProofRequest, ProofReply, BatchPieces, ProofError>;
  readonly #options: ProofServiceOptions;
  /** Callers by block id. */
  readonly #waiting = new Map<number, Waiting<BlockReply>>();
  readonly #keyRequests = new KeyRequests((request) => this.#send(request, [request.keys.buffer]));
  readonly #keepRequests = new Map<number, Waiting<readonly bigint[]>>();
  readonly #old: OldProofs;
  /** The checkpoints whose trees are kept outside the window. */
  #kept: ReadonlySet<bigint> = new Set();
  #nextId = 0;
  #height: bigint | undefined;
  /** Resolves when all batches received from the worker so far are written. */
  #writing = Promise.resolve();
  /** Set while marks to be dropped may still be read; writes wait for it. */
  #releasing: Promise<void> | undefined;

  private constructor(options: ProofServiceOptions) {
    this.#options = options;
    this.#height = options.tip?.height;
    const { store, native, tip } = options;
    const workerData: ProofWorkerData = {
      store,
      native,
      memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
      proofWindow: options.proofWindow ?? DEFAULT_PROOF_WINDOW,
      checkpointInterval: options.checkpointInterval ?? DEFAULT_CHECKPOINT_INTERVAL,
      tip,
    };
    const oldBytes = workerData.memoryBytes * OLD_SHARE;
    this.#old = new OldProofs({ store, native, memoryBytes: oldBytes }, () => ({
      window: { oldest: this.oldestHeight, newest: this.#height ?? -1n },
      isKept: (height) => this.#kept.has(height),
    }));
    this.#thread = new ServiceThread({
      module: new URL('../../workers/proof-worker.js', import.meta.url),
      name: 'proofs',
      worker: { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } },
      onReply: (reply) => this.#receive(reply),
      failure: (what, cause) => new ProofError('worker_failed', `the proof worker ${what}`, { cause }),
      stopped: () => new ProofError('worker_failed', 'the proof service has been stopped'),
      onEnd: (error) => {
        void this.#old.stop(error);
        this.#rejectRequests(error);
      },
      onFailure: options.onFailure,
    });
  }

  /**
   * Starts the worker. Resolves once its tree has the tip's state root: usually at once, or after a replay or a rebuild
   * if the last run did not end cleanly.
   * @throws ProofError `root_mismatch` if the stored state does not have the tip's state root, `worker_failed`
   */
  static async start(options: ProofServiceOptions): Promise<ProofService> {
    const service = new ProofService(options);
    await service.#thread.started();
    return service;
  }

  /** Reserves a block id, so that other blocks can name it as parent before its roots are known. */
  newBlockId(): number {
    return this.#nextId++;
  }

  /**
   * Computes the roots of a block on the last committed block or on a pending one. The block is then pending until it
   * is committed or dropped. Requests may overlap.
   * @throws ProofError `out_of_order`, `invalid_input` (the service continues), `damaged`, `worker_failed` (the service
   *   has failed)
   */
  async blockRoots(block: BlockRootsInput): Promise<BlockRoots> {
    this.#expectRunning();
    const { id = this.newBlockId() } = block;
    const request = encodeBlock(id, block);
    const reply = await new Promise<BlockReply>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const { keys, values, items, receipts } = request;
      this.#thread.post(request, [keys.buffer, values.buffer, items.buffer, receipts.buffer]);
    });
    return decodeRoots(reply);
  }

  /**
   * Commits a pending child of the last committed block; the store must already contain it. Drops pending blocks that
   * do not descend from it.
   * @param id id in the block's {@link BlockRoots}
   */
  commit(id: number, { height, hash }: Pick<Tip, 'height' | 'hash'>): void {
    this.#height = height;
    this.#thread.post({ type: 'commit', id, hash });
  }

  /** Drops a pending block and its descendants. */
  drop(id: number): void {
    this.#thread.post({ type: 'drop', id });
  }

  /** Oldest height in the proof window; 0 if it covers all heights. */
  get oldestHeight(): bigint {
    const oldest = (this.#height ?? 0n) - BigInt(this.#options.proofWindow ?? DEFAULT_PROOF_WINDOW);
    return oldest > 0n ? oldest : 0n;
  }

  /**
   * Proves the values of keys at a height, or their absence. The last block's tree is immediately available. Trees of
   * other heights are derived in a separate thread, where clients take turns; each part of a tree takes a few
   * milliseconds.
   * @param at a committed block
   * @param keys 32 bytes each
   * @param caller if the caller is gone, its request is dropped
   * @returns one proof per key, in order; the bytes are views into one buffer
   * @throws ProofError `state_unavailable` outside of the window and the kept checkpoints, `overloaded`, `damaged`,
   *   `worker_failed`
   */
  async prove(at: TreeAt, keys: readonly Uint8Array[], caller: Caller = NODE_ITSELF): Promise<TreeProof[]> {
    this.#expectRunning();
    if (at.height !== this.#height) return await this.#old.prove(at, keys, caller);
    return await this.#keyRequests.prove(at, keys, caller);
  }

  /**
   * Keeps the trees of exactly these checkpoints after they leave the proof window. Persists across restarts, but not
   * across a rebuild of the tree.
   * @param heights multiples of the checkpoint interval that are in the window, or already kept
   * @returns the heights whose trees exist
   * @throws ProofError `worker_failed`
   */
  async keepCheckpoints(heights: readonly bigint[]): Promise<readonly bigint[]> {
    this.#expectRunning();
    return await new Promise((resolve, reject) => {
      this.#keepRequests.set(this.#send({ type: 'keep', heights }), { resolve, reject });
    });
  }

  #send(
    request: Omit<ProveRequest, 'id'> | Omit<KeepRequest, 'id'>,
    transfer: readonly ArrayBuffer[] = [],
  ): number {
    const id = this.#nextId++;
    this.#thread.post({ ...request, id }, transfer);
    return id;
  }

  #expectRunning(): void {
    const { refusal } = this.#thread;
    if (refusal !== undefined) throw refusal;
  }

  /**
   * Stops the worker once it has handled all earlier requests. Further calls reject.
   * @returns the last encoded batch of tree pages; once it is written, the next start has nothing to replay
   */
  async stop(): Promise<BatchPieces | undefined> {
    const treeBatch = await this.#thread.stop({ type: 'stop' }, (error) => this.#old.stop(error));
    await this.#writing;
    return treeBatch;
  }

  #receive(reply: ProofReply): void {
    switch (reply.type) {
      case 'progress':
        this.#options.onProgress(reply);
        break;
      case 'ready':
        this.#kept = new Set(reply.kept);
        this.#thread.ready();
        break;
      case 'portion':
        this.#writing = this.#writePortion(reply.batch, reply.droppedMarks);
        break;
      case 'proved':
        this.#keyRequests.proved(reply.id, reply.proofs);
        break;
      case 'passed':
        this.#keyRequests.passed(reply.id, ({ at, keys, caller }) => this.#old.prove(at, keys, caller));
        break;
      case 'kept':
        this.#kept = new Set(reply.heights);
        this.#keepRequests.get(reply.id)?.resolve(reply.heights);
        this.#keepRequests.delete(reply.id);
        break;
      case 'refused':
        this.#keyRequests.refused(reply.id, reply);
        break;
      case 'block_done':
        this.#waiting.get(reply.id)?.resolve(reply);
        this.#waiting.delete(reply.id);
        break;
      case 'stopped':
        this.#thread.last(reply.treeBatch);
        break;
      case 'failed': {
        const error = new ProofError(reply.code, reply.message);
        if (reply.id === undefined) this.#thread.failWith(error);
        else this.#waiting.get(reply.id)?.reject(error);
        this.#waiting.delete(reply.id ?? -1);
        break;
      }
    }
  }

  #rejectRequests(error: ProofError): void {
    this.#keyRequests.rejectAll(error);
    for (const { reject } of this.#keepRequests.values()) reject(error);
    this.#keepRequests.clear();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  async #writePortion(batch: BatchPieces, droppedMarks: readonly bigint[] = []): Promise<void> {
    const earlier = this.#writing;
    if (droppedMarks.length > 0) {
      // Without a value: that of Promise.all would hold those of all earlier releases.
      this.#releasing = Promise.all([this.#releasing, this.#old.releaseMarks(droppedMarks)]).then(
        () => undefined,
      );
    }
    try {
      // Batches are written in order of arrival.
      await this.#releasing;
      await Promise.all([earlier, this.#options.writeTree(batch)]);
      this.#old.dropped(droppedMarks);
      this.#thread.post({ type: 'portion_written' });
    } catch (error) {
      const why = `pages of the state tree could not be written: ${errorMessage(error)}`;
      this.#thread.failWith(new ProofError('worker_failed', why, { cause: error }));
    }
  }
}
