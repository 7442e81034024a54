import type { MessagePort } from 'node:worker_threads';
import { loadHashes } from '../crypto/load-hashes.js';
import { openReader } from '../storage/open-store.js';
import type { ProofReply, ProofRequest, ProofWorkerData } from './messages.js';
import { ProofCore } from './proof-core.js';
import { ProofError } from './proof-error.js';

/** The worker's side of messages.ts: answers requests until told to stop. */
export async function serveProofs(port: MessagePort, data: ProofWorkerData): Promise<void> {
  const post = (reply: ProofReply, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(reply, transfer);
  const fail = (error: unknown, fatal: boolean) => {
    const message = error instanceof Error ? error.message : String(error);
    post({
      type: 'failed',
      code: error instanceof ProofError ? error.code : 'worker_failed',
      message,
      fatal,
    });
  };

  let portionWritten: (() => void) | undefined;
  const writePortion = (batch: Uint8Array<ArrayBuffer>) =>
    new Promise<void>((resolve) => {
      portionWritten = resolve;
      post({ type: 'portion', batch }, [batch.buffer]);
    });

  const start = async () => {
    const store = openReader(data.store);
    const core = await ProofCore.open({
      crypto: await loadHashes(data.native),
      store,
      cacheBytes: data.cacheBytes,
      tip: data.tip,
      onProgress: post,
      ...(data.canWrite ? { writePortion } : {}),
    });
    return { store, core };
  };

  const starting = start();
  port.on('message', async (request: ProofRequest) => {
    if (request.type === 'portion_written') {
      portionWritten?.();
      return;
    }
    try {
      const { store, core } = await starting;
      if (request.type === 'stop') {
        const treeBatch = core.finish();
        await store.close();
        post(
          { type: 'stopped', ...(treeBatch === undefined ? {} : { treeBatch }) },
          treeBatch ? [treeBatch.buffer] : [],
        );
        port.close();
        return;
      }
      try {
        const reply = core.block(request);
        const { roots, mmrNodes, treeBatch } = reply;
        post(reply, [roots.buffer, mmrNodes.buffer, ...(treeBatch === undefined ? [] : [treeBatch.buffer])]);
        core.rest();
      } catch (error) {
        fail(error, core.broken !== undefined);
      }
    } catch (error) {
      fail(error, true);
    }
  });

  try {
    await starting;
    post({ type: 'ready' });
  } catch (error) {
    fail(error, true);
    port.close();
  }
}
