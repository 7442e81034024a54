// Attacks validators in a thread of its own, so that it does not delay the measurements of the test.
import { parentPort, workerData } from 'node:worker_threads';
import { ATTACKS, type AttackName } from './attacks.js';
import { Rogue, type RogueOptions } from './rogue.js';

export interface AttackTask extends RogueOptions {
  readonly attacks: readonly AttackName[];
}

const { attacks, ...options } = workerData as AttackTask;
const rogue = await Rogue.open(options);
const runs = Promise.all(attacks.map((name) => ATTACKS[name](rogue)));
parentPort?.once('message', () => {
  rogue.isOver = true;
});
await runs;
const { counts } = rogue;
rogue.stop();
parentPort?.postMessage(counts);
