import { parentPort, workerData } from 'node:worker_threads';
import { showThreadName } from '../src/async/thread-name.js';
import type { OldProofWorkerData } from '../src/proofs/proof-messages.js';
import { serveOldProofs } from '../src/proofs/serve-old-proofs.js';

if (parentPort === null) throw new Error('old-proof-worker.js runs as a worker thread of the node only');
showThreadName();
await serveOldProofs(parentPort, workerData as OldProofWorkerData);
