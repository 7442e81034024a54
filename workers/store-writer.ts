import { workerData } from 'node:worker_threads';
import { beginThread } from '../src/async/thread-name.js';
import { loadRocksBinding } from '../src/storage/native/rocksdb-binding.js';
import { runWriteLoop } from '../src/storage/native/write-loop.js';

runWriteLoop(loadRocksBinding(), workerData, beginThread());
