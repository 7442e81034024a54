import { workerData } from 'node:worker_threads';
import { beginThread } from '../src/async/thread-name.js';
import type { OldProofWorkerData } from '../src/proofs/proof-messages.js';
import { serveOldProofs } from '../src/proofs/serve-old-proofs.js';

await serveOldProofs(beginThread(), workerData as OldProofWorkerData);
