import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { TransferTask } from './transfer-task.js';

/** Signs the first `count` transfers on all cores. @returns hexadecimal without 0x */
export async function signInThreads(
  count: number,
  { accounts, chainId }: Pick<TransferTask, 'accounts' | 'chainId'>,
): Promise<readonly string[]> {
  const threads = availableParallelism();
  const each = Math.ceil(count / threads);
  const parts = Array.from({ length: threads }, async (_, i) => {
    const worker = new Worker(new URL('./transfer-worker.js', import.meta.url));
    const start = Math.min(count, i * each);
    worker.postMessage({
      start,
      end: Math.min(count, start + each),
      accounts,
      chainId,
    } satisfies TransferTask);
    const [signed] = (await once(worker, 'message')) as [readonly string[]];
    await worker.terminate();
    return signed;
  });
  return (await Promise.all(parts)).flat();
}
