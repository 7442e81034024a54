import { Worker } from 'node:worker_threads';
import { type Caller, NODE_ITSELF } from '../async/caller.js';
import type { NativeMode } from '../config/native-mode.js';
import type { TreeProof } from '../generated/node-rpc-v1.js';
import type { StoreHandle } from '../storage/store.js';
import type { BatchPieces } from '../storage/write-batch.js';
import { type BlockRoots, type BlockRootsInput, decodeRoots, encodeBlock } from './block-roots.js';
import { KeyRequests } from './key-requests.js';
import type {
  BlockReply,
  KeepRequest,
  ProofProgress,
  ProofReply,
  ProofWorkerData,
  ProveRequest,
  Tip,
} from './messages.js';
import { OldProofs } from './old-proofs.js';
import { ProofError } from './proof-error.js';
import type { TreeAt } from './tree/old-trees.js';

/** Unless told otherwise: in bytes, heights and heights. */
const DEFAULT_MEMORY_BYTES = 512 * 1024 * 1024;
const DEFAULT_PROOF_WINDOW = 1_024;
const DEFAULT_CHECKPOINT_INTERVAL = 1_000;

/** Of the memory: for trees at earlier heights. */
const OLD_SHARE = 0.2;

/** What a block leaves behind is garbage at once: a small nursery keeps the thread's memory small and costs nothing. */
const YOUNG_GENERATION_MB = 8;

export interface ProofServiceOptions {
  /** Where the worker reads state, tree and MMR. */
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** The last committed block; undefined on a store without blocks. */
  readonly tip: Tip | undefined;
  /** Told how far a replay or a rebuild at the start has come. */
  readonly onProgress: (progress: ProofProgress) => void;
  /** Told once when the service can serve no more; every later call rejects with the same error. */
  readonly onFailure?: (error: ProofError) => void;
  /** Writes an encoded batch of tree pages as a whole, now and then after a commit; need not be synced. */
  readonly writeTree: (encoded: BatchPieces) => Promise<void>;
  /** About what the trees may take in memory, in bytes; default 512 MiB. */
  readonly memoryBytes?: number;
  /** How many heights below the last one have their trees served; default 1,024. */
  readonly proofWindow?: number;
  /** Every so many heights there is a checkpoint, whose tree can be kept; 0 for none, default 1,000. */
  readonly checkpointInterval?: number;
}

interface KeepCaller {
  readonly resolve: (heights: readonly bigint[]) => void;
  readonly reject: (error: ProofError) => void;
}

interface Waiting {
  readonly resolve: (reply: BlockReply) => void;
  readonly reject: (error: ProofError) => void;
}

/** The main thread's side of the proof worker, which keeps the state tree and the history MMR. */
export class ProofService {
  readonly #worker: Worker;
  readonly #options: ProofServiceOptions;
  /** Callers by their blocks' ids. */
  readonly #waiting = new Map<number, Waiting>();
  readonly #keyRequests = new KeyRequests((request) => this.#send(request, [request.keys.buffer]));
  readonly #keepRequests = new Map<number, KeepCaller>();
  readonly #old: OldProofs;
  /** The checkpoints that stay when they leave the window. */
  #kept: ReadonlySet<bigint> = new Set();
  #nextId = 0;
  /** Of the last committed block. */
  #height: bigint | undefined;
  /** The last batch that is being written for the worker, and all before it. */
  #writing = Promise.resolve();
  /** Set while marks are about to be dropped and somebody may be reading them: nothing is written meanwhile. */
  #releasing: Promise<void> | undefined;
  #failure: ProofError | undefined;
  #ready: { readonly resolve: () => void; readonly reject: (error: ProofError) => void } | undefined;
  #stopped: ((treeBatch: BatchPieces | undefined) => void) | undefined;
  #stopping: Promise<BatchPieces | undefined> | undefined;

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
      ...(tip === undefined ? {} : { tip }),
    };
    const oldBytes = workerData.memoryBytes * OLD_SHARE;
    this.#old = new OldProofs({ store, native, memoryBytes: oldBytes }, () => ({
      window: { oldest: this.oldestHeight, newest: this.#height ?? -1n },
      isKept: (height) => this.#kept.has(height),
    }));
    this.#worker = new Worker(new URL('../../workers/proof-worker.js', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#worker.on('message', (reply: ProofReply) => {
      try {
        this.#receive(reply);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#fail(
          new ProofError('worker_failed', `the proof worker cannot be understood: ${reason}`, {
            cause: error,
          }),
        );
      }
    });
    this.#worker.on('error', (error: Error) =>
      this.#fail(
        new ProofError('worker_failed', `the proof worker died: ${error.message}`, { cause: error }),
      ),
    );
    this.#worker.on('exit', (code) => this.#exited(code));
  }

  /**
   * Starts the worker. Resolves once its tree has the tip's state root: at once as a rule, after a replay or a rebuild
   * where the last run did not end cleanly.
   * @throws ProofError `root_mismatch` where the stored state does not have the tip's state root, `worker_failed`
   */
  static async start(options: ProofServiceOptions): Promise<ProofService> {
    const service = new ProofService(options);
    const ready = new Promise<void>((resolve, reject) => {
      service.#ready = { resolve, reject };
    });
    try {
      await ready;
    } catch (error) {
      await service.#worker.terminate();
      throw error;
    }
    return service;
  }

  /** An id for a block whose roots are to be asked for: others can be put on it before it has them. */
  newBlockId(): number {
    return this.#nextId++;
  }

  /**
   * The roots of a block on the last committed one or on a pending one. It is pending from then on, until it is
   * committed or dropped. Requests may overlap.
   * @throws ProofError `out_of_order`, `invalid_input` (the service goes on), `damaged`, `worker_failed` (it does not)
   */
  async blockRoots(block: BlockRootsInput): Promise<BlockRoots> {
    this.#expectRunning();
    const { id = this.newBlockId() } = block;
    const request = encodeBlock(id, block);
    const reply = await new Promise<BlockReply>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const { keys, values, items, receipts } = request;
      this.#worker.postMessage(request, [keys.buffer, values.buffer, items.buffer, receipts.buffer]);
    });
    return decodeRoots(reply);
  }

  /**
   * Tells that a pending child of the last committed block was committed: the store has it. Pending blocks that are not on it
   * are dropped.
   * @param id of its {@link BlockRoots}
   */
  commit(id: number, { height, hash }: Pick<Tip, 'height' | 'hash'>): void {
    this.#height = height;
    this.#worker.postMessage({ type: 'commit', id, hash });
  }

  /** Drops a pending block and those on it. */
  drop(id: number): void {
    this.#worker.postMessage({ type: 'drop', id });
  }

  /** The oldest height that the proof window reaches to, 0 where it has all. */
  get oldestHeight(): bigint {
    const oldest = (this.#height ?? 0n) - BigInt(this.#options.proofWindow ?? DEFAULT_PROOF_WINDOW);
    return oldest > 0n ? oldest : 0n;
  }

  /**
   * Proves what keys have for values at a height, or that they are not there. The last block's tree is at hand; others are
   * worked out in a thread of their own, in turns by client, some milliseconds for each part of the tree.
   * @param at a committed block
   * @param keys 32 bytes each
   * @param caller whose work is dropped when it is gone
   * @returns one proof a key, in their order; the bytes are views into one buffer
   * @throws ProofError `state_unavailable` outside of the window and the kept checkpoints, `overloaded`, `damaged`,
   *   `worker_failed`
   */
  async prove(at: TreeAt, keys: readonly Uint8Array[], caller: Caller = NODE_ITSELF): Promise<TreeProof[]> {
    this.#expectRunning();
    if (at.height !== this.#height) return await this.#old.prove(at, keys, caller);
    return await this.#keyRequests.prove(at, keys, caller);
  }

  /**
   * Has the trees of these checkpoints stay when they leave the proof window, and of no others. It outlives restarts, but not a
   * rebuild of the tree.
   * @param heights multiples of the checkpoint interval that the window has not passed, or that are kept
   * @returns those of them whose trees there are
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
    this.#worker.postMessage({ ...request, id }, transfer);
    return id;
  }

  #expectRunning(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#stopping !== undefined) throw stoppedError();
  }

  /**
   * Ends the worker after what was asked of it. Further calls reject.
   * @returns a last encoded batch of tree pages to be written, after which the next start has nothing to replay
   */
  stop(): Promise<BatchPieces | undefined> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<BatchPieces | undefined> {
    await this.#old.stop(this.#failure ?? stoppedError());
    let treeBatch: BatchPieces | undefined;
    if (this.#failure === undefined) {
      treeBatch = await new Promise<BatchPieces | undefined>((resolve) => {
        this.#stopped = resolve;
        this.#worker.postMessage({ type: 'stop' });
      });
    }
    await this.#worker.terminate();
    await this.#writing;
    this.#rejectRequests(this.#failure ?? stoppedError());
    return treeBatch;
  }

  #receive(reply: ProofReply): void {
    switch (reply.type) {
      case 'progress':
        this.#options.onProgress(reply);
        break;
      case 'ready':
        this.#kept = new Set(reply.kept);
        this.#ready?.resolve();
        this.#ready = undefined;
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
        this.#stopped?.(reply.treeBatch);
        break;
      case 'failed': {
        const error = new ProofError(reply.code, reply.message);
        if (reply.id === undefined) this.#fail(error);
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
      this.#releasing = Promise.all([this.#releasing, this.#old.releaseMarks(droppedMarks)]).then(
        () => undefined,
      );
    }
    try {
      // Batches are written in the order in which they came.
      await this.#releasing;
      await Promise.all([earlier, this.#options.writeTree(batch)]);
      this.#old.dropped(droppedMarks);
      this.#worker.postMessage({ type: 'portion_written' });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#fail(
        new ProofError('worker_failed', `pages of the state tree could not be written: ${reason}`, {
          cause: error,
        }),
      );
    }
  }

  #exited(code: number): void {
    if (this.#failure !== undefined || this.#stopping !== undefined) {
      // A worker that dies while stopping has no last batch; the next start replays instead.
      this.#stopped?.(undefined);
      this.#rejectRequests(this.#failure ?? stoppedError());
      return;
    }
    this.#fail(new ProofError('worker_failed', `the proof worker ended unasked with exit code ${code}`));
  }

  #fail(error: ProofError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    void this.#old.stop(error);
    const starting = this.#ready;
    this.#ready = undefined;
    starting?.reject(error);
    this.#rejectRequests(error);
    this.#stopped?.(undefined);
    if (starting === undefined) this.#options.onFailure?.(error);
    void this.#worker.terminate();
  }
}

function stoppedError(): ProofError {
  return new ProofError('worker_failed', 'the proof service has been stopped');
}
