// Says that it is ready, and ends when it is given something to do.
import { parentPort } from 'node:worker_threads';

parentPort?.postMessage({ type: 'ready' });
parentPort?.once('message', () => process.exit(3));
