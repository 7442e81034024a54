import { parentPort, workerData } from 'node:worker_threads';
import type { FrontThreadData } from '../../rpc/front/messages.js';
import { serveFront } from './serve-front.js';

if (parentPort === null) throw new Error('front-worker.js runs as a worker thread of the node only');
await serveFront(parentPort, workerData as FrontThreadData);
