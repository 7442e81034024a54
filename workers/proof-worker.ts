import { workerData } from 'node:worker_threads';
import { type ProofWorkerData } from '../src/proofs/proof-messages.js';
import { beginThread } from '../src/async/thread-name.js';
import { serveProofs } from '../src/proofs/serve-proofs.js';

await serveProofs(beginThread(), workerData as ProofWorkerData);
