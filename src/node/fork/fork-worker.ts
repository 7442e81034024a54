import { parentPort, workerData } from 'node:worker_threads';
import { showThreadName } from '../../async/thread-name.js';
import type { ForkWorkerData } from './fork-messages.js';
import { serveFork } from './serve-fork.js';

if (parentPort === null) throw new Error('fork-worker.js runs as a worker thread of the node only');
showThreadName();
await serveFork(parentPort, workerData as ForkWorkerData);
