import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbageWhenIdle } from '../../../src/async/idle-gc.js';

/*
 * Makes `workerData` MiB of garbage that survives young collections, then idles. Reports the used heap in MiB every 200
 * ms.
 */

const usedMiB = (): number => getHeapStatistics().used_heap_size / 2 ** 20;

collectGarbageWhenIdle();
setTimeout(() => {
  const kept: number[][] = [];
  while (usedMiB() < workerData) kept.push(new Array<number>(64 * 1024).fill(0.5));
}, 1_500);
setInterval(() => parentPort?.postMessage(usedMiB()), 200);
