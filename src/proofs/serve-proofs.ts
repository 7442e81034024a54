import type { MessagePort } from 'node:worker_threads';
import { loadHashes } from '../crypto/load-hashes.js';
import { openReader } from '../storage/open-store.js';
import { splitKeys } from '../storage/state.js';
import { type BatchPieces, unsharedBuffers } from '../storage/write-batch.js';
import { ProofCore } from './proof-core.js';
import { problemOf } from './proof-error.js';
import type {
  BlockRequest,
  CommitRequest,
  KeepRequest,
  ProofReply,
  ProofRequest,
  ProofWorkerData,
  ProveRequest,
} from './proof-messages.js';

/** The worker's side of proof-messages.ts: answers requests until stopped. */
export async function serveProofs(port: MessagePort, data: ProofWorkerData): Promise<void> {
  const post = (reply: ProofReply, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(reply, transfer);
  const fail = (error: unknown) => post({ type: 'failed', ...problemOf(error) });

  let portionWritten: (() => void) | undefined;
  const postPortion = (batch: BatchPieces | undefined, droppedMarks: readonly bigint[] = []) => {
    if (batch !== undefined) post({ type: 'portion', batch, droppedMarks }, unsharedBuffers(batch));
  };
  const writePortion = (batch: BatchPieces) =>
    new Promise<void>((resolve) => {
      portionWritten = resolve;
      postPortion(batch);
    });

  const start = async () => {
    const store = openReader(data.store);
    const core = await ProofCore.open({
      ...data,
      crypto: await loadHashes(data.native),
      store,
      proofWindow: BigInt(data.proofWindow),
      checkpointInterval: BigInt(data.checkpointInterval),
      onProgress: post,
      writePortion,
    });
    return { store, core, queue: new ProofQueue(core, post) };
  };

  let resting = false;
  let stopped = false;
  // Runs one step at a time, so that queued messages, including blocks, are handled first.
  const rest = (core: ProofCore) => {
    if (resting) return;
    resting = true;
    setImmediate(() => {
      resting = false;
      if (stopped) return;
      try {
        if (core.runIdleStep()) rest(core);
        for (const batch of core.take()) postPortion(batch);
      } catch (error) {
        fail(error);
      }
    });
  };

  const answerBlock = (core: ProofCore, request: BlockRequest) => {
    try {
      const reply = core.block(request);
      post(reply, [reply.roots.buffer, reply.mmrNodes.buffer]);
    } catch (error) {
      if (core.broken !== undefined) throw error;
      post({ type: 'failed', id: request.id, ...problemOf(error) });
    }
  };

  const commit = (core: ProofCore, queue: ProofQueue, request: CommitRequest) => {
    queue.slice();
    core.commit(request);
    for (const batch of core.take()) postPortion(batch);
    rest(core);
    const dropped = core.drop();
    postPortion(dropped?.batch.finishPieces(), dropped?.marks);
  };

  const answerKeep = (core: ProofCore, { id, heights: asked }: KeepRequest) => {
    const { heights, batch: changes } = core.keep(asked);
    if (changes.count > 0) postPortion(changes.finishPieces());
    post({ type: 'kept', id, heights });
  };

  const starting = start();
  port.on('message', async (request: ProofRequest) => {
    if (request.type === 'portion_written') {
      portionWritten?.();
      return;
    }
    try {
      const { store, core, queue } = await starting;
      switch (request.type) {
        case 'prove':
          queue.add(request);
          break;
        case 'keep':
          answerKeep(core, request);
          break;
        case 'block':
          answerBlock(core, request);
          break;
        case 'commit':
          commit(core, queue, request);
          break;
        case 'drop':
          core.abandon(request.id);
          break;
        case 'stop': {
          stopped = true;
          queue.stop();
          const treeBatch = core.finish();
          await store.close();
          post({ type: 'stopped', treeBatch }, unsharedBuffers(treeBatch ?? []));
          port.close();
        }
      }
    } catch (error) {
      fail(error);
    }
  });

  try {
    const { core } = await starting;
    post({ type: 'ready', kept: core.keptMarks });
  } catch (error) {
    fail(error);
    port.close();
  }
}

/** Maximum time that the worker works on proofs without checking for blocks, in milliseconds. */
const SLICE_MS = 4;

/** Requests for proofs in the tree of the last committed block, answered between blocks. */
class ProofQueue {
  readonly #core: ProofCore;
  readonly #post: (reply: ProofReply, transfer?: readonly ArrayBuffer[]) => void;
  #waiting: ProveRequest[] = [];
  #scheduled = false;

  constructor(core: ProofCore, post: (reply: ProofReply, transfer?: readonly ArrayBuffer[]) => void) {
    this.#core = core;
    this.#post = post;
  }

  add(request: ProveRequest): void {
    this.#waiting.push(request);
    this.#schedule();
  }

  /** Answers one slice of the requests, before the tree moves to a block and the others must be answered elsewhere. */
  slice(): void {
    const end = performance.now() + SLICE_MS;
    while (this.#waiting.length > 0 && performance.now() < end) this.#step();
  }

  stop(): void {
    this.#waiting = [];
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Queued messages, blocks among them, are handled first.
    setImmediate(() => {
      this.#scheduled = false;
      this.slice();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #step(): void {
    const request = this.#waiting.shift();
    if (request === undefined) return;
    const { id, height, keys } = request;
    if (!this.#core.isLatest(height)) {
      this.#post({ type: 'passed', id });
      return;
    }
    try {
      const proofs = this.#core.proveLatest(request, splitKeys(keys));
      this.#post({ type: 'proved', id, proofs }, [proofs.buffer]);
    } catch (error) {
      this.#post({ type: 'refused', id, ...problemOf(error) });
      const { broken } = this.#core;
      if (broken !== undefined) this.#post({ type: 'failed', ...problemOf(broken) });
    }
  }
}
