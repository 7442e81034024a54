// Reports that it is ready, and exits at its first task.
import { parentPort } from 'node:worker_threads';

parentPort?.postMessage({ type: 'ready' });
parentPort?.once('message', () => process.exit(3));
