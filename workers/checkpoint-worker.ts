import { parentPort, workerData } from 'node:worker_threads';
import type { CutWorkerData } from '../src/proofs/snapshot/serve-cut.js';
import { serveCut } from '../src/proofs/snapshot/serve-cut.js';

if (parentPort === null) throw new Error('checkpoint-worker.js runs as a worker thread of the node only');
await serveCut(parentPort, workerData as CutWorkerData);
