import { workerData } from 'node:worker_threads';
import { beginThread } from '../../async/thread-name.js';
import type { ForkWorkerData } from './fork-messages.js';
import { serveFork } from './serve-fork.js';

await serveFork(beginThread(), workerData as ForkWorkerData);
