import { parentPort, workerData } from 'node:worker_threads';
import { showThreadName } from '../src/async/thread-name.js';
import type { ProofWorkerData } from '../src/proofs/proof-messages.js';
import { serveProofs } from '../src/proofs/serve-proofs.js';

if (parentPort === null) throw new Error('proof-worker.js runs as a worker thread of the node only');
showThreadName();
await serveProofs(parentPort, workerData as ProofWorkerData);
