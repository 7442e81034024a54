import { workerData } from 'node:worker_threads';
import { beginThread } from '../src/async/thread-name.js';
import { serveSignatures } from '../src/crypto/threshold/serve-signatures.js';

await serveSignatures(beginThread(), workerData);
