// Runs a flood in a separate thread: posts `ready`, then runs one attack for each message and posts its counts.
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { FloodAttack, type FloodGround } from './flood.js';
import { floodOf } from './floods.js';

export interface FloodTask extends FloodGround {
  readonly name: string;
}

const task = workerData as FloodTask;
const flood = floodOf(task.name);
const run = await flood.arm(task);
if (parentPort === null) throw new Error('flood-worker.js runs as a worker thread only');
const messages = on(parentPort, 'message');
parentPort.postMessage('ready');
for await (const _ of messages) {
  const attack = new FloodAttack(task.url, task.seconds * 1_000);
  await run(attack);
  attack.stop();
  parentPort.postMessage(attack.counts);
}
