import { parentPort, workerData } from 'node:worker_threads';
import { loadRocksBinding } from '../src/storage/native/rocksdb-binding.js';
import { runWriteLoop } from '../src/storage/native/write-loop.js';

if (parentPort === null) throw new Error('store-writer.js runs as a worker thread of the store only');
runWriteLoop(loadRocksBinding(), workerData, parentPort);
