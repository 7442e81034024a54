import { parentPort, workerData } from 'node:worker_threads';
import { showThreadName } from '../src/async/thread-name.js';
import { type CutWorkerData, serveCut } from '../src/proofs/snapshot/serve-cut.js';

if (parentPort === null) throw new Error('checkpoint-worker.js runs as a worker thread of the node only');
showThreadName();
await serveCut(parentPort, workerData as CutWorkerData);
