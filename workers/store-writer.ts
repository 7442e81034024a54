import { parentPort, workerData } from 'node:worker_threads';
import { showThreadName } from '../src/async/thread-name.js';
import { loadRocksBinding } from '../src/storage/native/rocksdb-binding.js';
import { runWriteLoop } from '../src/storage/native/write-loop.js';

if (parentPort === null) throw new Error('store-writer.js runs as a worker thread of the store only');
showThreadName();
runWriteLoop(loadRocksBinding(), workerData, parentPort);
