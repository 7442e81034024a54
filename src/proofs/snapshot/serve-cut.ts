import type { MessagePort } from 'node:worker_threads';
import type { NativeMode } from '../../config/native-mode.js';
import { loadHashes } from '../../crypto/load-hashes.js';
import { openReader } from '../../storage/open-store.js';
import type { StoreHandle } from '../../storage/store.js';
import { type ChunkSummary, type CutState, cutState, stateAt, summarizeChunks } from './cut.js';

/** Cuts the checkpoint that `data` names. Errors reach the main thread as the worker's `error` event. */
export async function serveCut(port: MessagePort, data: CutWorkerData): Promise<void> {
  const hashes = await loadHashes(data.native);
  const store = openReader(data.store);
  const post = (reply: CutReply) => port.postMessage(reply);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  const summaries: ChunkSummary[] = [];
  let entries = 0;
  let from = performance.now();
  for (const chunk of cutState(stateAt(store, hashes, data.height))) {
    const { prefix } = chunk;
    const blobs = chunk.blobs.map(({ name }) => name);
    summaries.push({ ...chunk, entries: chunk.entries.length, blobs });
    entries += chunk.entries.length;
    // Keys are hashes, so the position of the last one in key order measures progress.
    post({ type: 'progress', fraction: Buffer.from(prefix).readUIntBE(0, 6) / 2 ** 48, entries });
    const worked = performance.now() - from;
    if (data.restRatio > 0) Atomics.wait(sleeper, 0, 0, worked * data.restRatio);
    from = performance.now();
  }
  const cut = summarizeChunks(hashes, summaries);
  await store.close();
  post({ type: 'done', cut });
}

/** The task of the thread that cuts a checkpoint. */
export interface CutWorkerData {
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** A committed height whose state is still kept. */
  readonly height: bigint;
  /** Pause after each chunk as a multiple of the time worked, to leave CPU to others; 0 for none. */
  readonly restRatio: number;
}

/** Worker → main thread. */
export type CutReply =
  /** Share of the key space done so far, 0 to 1. */
  | { readonly type: 'progress'; readonly fraction: number; readonly entries: number }
  | { readonly type: 'done'; readonly cut: CutState };
