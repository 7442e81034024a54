import { workerData } from 'node:worker_threads';
import { type CutWorkerData, serveCut } from '../src/proofs/snapshot/serve-cut.js';
import { beginThread } from '../src/async/thread-name.js';

await serveCut(beginThread(), workerData as CutWorkerData);
