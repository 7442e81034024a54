import type { MessagePort } from 'node:worker_threads';
import { loadHashes } from '../../crypto/load-hashes.js';
import { openReader } from '../../storage/open-store.js';
import { type ChunkSummary, cutState, stateAt, summarizeChunks } from './cut.js';
import type { CutReply, CutWorkerData } from './cut-messages.js';

/** The worker's side of cut-messages.ts. Errors reach the main thread as the worker's `error` event. */
export async function serveCut(port: MessagePort, data: CutWorkerData): Promise<void> {
  const hashes = await loadHashes(data.native);
  const store = openReader(data.store);
  const post = (reply: CutReply) => port.postMessage(reply);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  const summaries: ChunkSummary[] = [];
  let entries = 0;
  let from = performance.now();
  for (const chunk of cutState(stateAt(store, hashes, data.height))) {
    const { prefix, depth, root, hash, bytes, blobs } = chunk;
    summaries.push({
      prefix,
      depth,
      root,
      hash,
      bytes,
      entries: chunk.entries.length,
      blobs: blobs.map(({ name }) => name),
    });
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
