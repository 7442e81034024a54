// Signs transfers in a separate thread.
import { parentPort } from 'node:worker_threads';
import { signTransfers } from './transfer-accounts.js';
import type { TransferTask } from './transfer-task.js';

parentPort?.once('message', (task: TransferTask) => {
  parentPort?.postMessage(signTransfers(task));
});
