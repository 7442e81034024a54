// Loaded into a node with `--import`: SIGUSR2 blocks its main thread for five seconds.
import { isMainThread } from 'node:worker_threads';

const BLOCKED_MS = 5_000;

if (isMainThread) {
  process.on('SIGUSR2', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  });
}
