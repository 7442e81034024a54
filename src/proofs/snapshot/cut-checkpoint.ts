import { Worker } from 'node:worker_threads';
import { named } from '../../async/thread-name.js';
import { ProofError } from '../proof-error.js';
import type { CutState } from './cut.js';
import type { CutReply, CutWorkerData } from './serve-cut.js';

export interface CutCheckpointOptions extends CutWorkerData {
  readonly onProgress?: (progress: { readonly fraction: number; readonly entries: number }) => void;
  readonly signal?: AbortSignal;
}

/**
 * Cuts the state at a height into chunks, in a dedicated thread, so that neither blocks nor callers wait for it.
 * @throws ProofError `worker_failed` with the thread's error; the signal's reason
 */
export async function cutCheckpoint(options: CutCheckpointOptions): Promise<CutState> {
  const { onProgress, signal, store, native, height, restRatio } = options;
  signal?.throwIfAborted();
  const workerData: CutWorkerData = { store, native, height, restRatio };
  const worker = new Worker(new URL('../../../workers/checkpoint-worker.js', import.meta.url), {
    ...named('checkpoint'),
    workerData,
  });
  const end = () => void worker.terminate();
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await new Promise<CutState>((resolve, reject) => {
      let cut: CutState | undefined;
      worker.on('message', (reply: CutReply) => {
        if (reply.type === 'progress') onProgress?.(reply);
        else cut = reply.cut;
      });
      worker.on('error', (cause: Error) => {
        const why = `cutting the state at height ${height} failed: ${cause.message}`;
        reject(new ProofError('worker_failed', why, { cause }));
      });
      // The thread holds the store open until it exits.
      worker.on('exit', (code) => {
        if (cut !== undefined) resolve(cut);
        else if (signal?.aborted === true) reject(signal.reason);
        else reject(new ProofError('worker_failed', `the checkpoint thread exited with code ${code}`));
      });
    });
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
