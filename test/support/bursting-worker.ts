import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { collectWhenIdle } from '../../src/async/idle-collection.js';
import { BURST_MIB } from './burst.js';

/* Makes garbage that survives young collections, then does nothing; says every 200 ms how many MiB its heap has in use. */

const usedMiB = (): number => getHeapStatistics().used_heap_size / 2 ** 20;

collectWhenIdle();
setTimeout(() => {
  const kept: number[][] = [];
  while (usedMiB() < BURST_MIB) kept.push(new Array<number>(64 * 1024).fill(0.5));
}, 1_500);
setInterval(() => parentPort?.postMessage(usedMiB()), 200);
