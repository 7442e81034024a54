import { parentPort, workerData } from 'node:worker_threads';
import type { FromFront, FrontThreadData } from '../../rpc/front/messages.js';
import { serializeError } from '../../rpc/front/serialized-error.js';
import { serveFront } from './serve-front.js';

if (parentPort === null) throw new Error('front-worker.js runs only as a worker thread of the node');
try {
  await serveFront(parentPort, workerData as FrontThreadData);
} catch (error) {
  parentPort.postMessage({ kind: 'failed', error: serializeError(error) } satisfies FromFront);
}
