import type { MessagePort } from 'node:worker_threads';
import { loadHashes } from '../crypto/load-hashes.js';
import { openReader } from '../storage/open-store.js';
import { type BatchPieces, unsharedBuffers } from '../storage/write-batch.js';
import type {
  BlockRequest,
  CommitRequest,
  KeepRequest,
  ProofReply,
  ProofRequest,
  ProofWorkerData,
} from './messages.js';
import { ProofCore } from './proof-core.js';
import { problemOf } from './proof-error.js';
import { ProofQueue } from './proof-queue.js';

/** The worker's side of messages.ts: answers requests until stopped. */
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
      crypto: await loadHashes(data.native),
      store,
      memoryBytes: data.memoryBytes,
      proofWindow: BigInt(data.proofWindow),
      checkpointInterval: BigInt(data.checkpointInterval),
      tip: data.tip,
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
          post(
            { type: 'stopped', ...(treeBatch === undefined ? {} : { treeBatch }) },
            unsharedBuffers(treeBatch ?? []),
          );
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
