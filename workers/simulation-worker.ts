import { parentPort, workerData } from 'node:worker_threads';
import { type SeedWork, simulateNext } from '../src/cli/simulated-seeds.js';

if (parentPort === null) throw new Error('simulation-worker.js runs as a worker thread of the command only');
await simulateNext(workerData as SeedWork, (result) => parentPort?.postMessage(result));
