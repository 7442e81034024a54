import { parentPort, workerData } from 'node:worker_threads';
import { showThreadName } from '../src/async/thread-name.js';
import { serveSignatures } from '../src/crypto/threshold/serve-signatures.js';

if (parentPort === null) throw new Error('signature-worker.js runs as a worker thread of the node only');
showThreadName();
await serveSignatures(parentPort, workerData);
