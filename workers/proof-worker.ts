import { workerData } from 'node:worker_threads';
import { beginThread } from '../src/async/thread-name.js';
import type { ProofWorkerData } from '../src/proofs/proof-messages.js';
import { serveProofs } from '../src/proofs/serve-proofs.js';

await serveProofs(beginThread(), workerData as ProofWorkerData);
