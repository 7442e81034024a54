// Loaded into every thread of a node with `--import`: makes front threads fail before they serve, in the way that
// FRONT_FAULT names.
import { isMainThread, workerData } from 'node:worker_threads';

/** True if this thread was started with the data of a front thread. */
function isFront(): boolean {
  return (
    !isMainThread && typeof workerData === 'object' && workerData !== null && 'callsInFlight' in workerData
  );
}

if (isFront()) {
  switch (process.env['FRONT_FAULT']) {
    case 'throws':
      throw new Error('a part of it does not load');
    case 'ends':
      process.exit(3);
      break;
    case 'hangs':
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  }
}
