// Floods a node from a thread of its own: says when it is ready, begins when it is told to, and tells what came of it.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { FloodAttack, type FloodGround } from './flood.js';
import { floodOf } from './floods.js';

export interface FloodTask extends FloodGround {
  /** Of the flood. */
  readonly name: string;
}

const task = workerData as FloodTask;
const flood = floodOf(task.name);
const run = await flood.arm(task);
parentPort?.postMessage('ready');
if (parentPort !== null) await once(parentPort, 'message');
const attack = new FloodAttack(task.url, task.seconds * 1_000);
await run(attack);
attack.stop();
parentPort?.postMessage(attack.counts);
