import { workerData } from 'node:worker_threads';
import { beginThread } from '../src/async/thread-name.js';
import { type CutWorkerData, serveCut } from '../src/proofs/snapshot/serve-cut.js';

await serveCut(beginThread(), workerData as CutWorkerData);
