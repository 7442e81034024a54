// Attacks validators in a thread of its own, so that it does not delay the measurements of the test.
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ATTACKS, type AttackName } from './attacks.js';
import { Rogue, type RogueOptions } from './rogue.js';

export interface AttackTask extends RogueOptions {
  readonly attacks: readonly AttackName[];
}

// A real attacker has a machine of its own: this thread yields to the victims.
const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
setPriority(thread, Math.min(19, getPriority(thread) + 5));

const { attacks, ...options } = workerData as AttackTask;
const rogue = await Rogue.open(options);
const runs = Promise.all(attacks.map((name) => ATTACKS[name](rogue)));
parentPort?.once('message', () => {
  rogue.isOver = true;
});
while (rogue.counts.messages === 0 && !rogue.isOver) await sleep(10);
parentPort?.postMessage('begun');
await runs;
const { counts } = rogue;
rogue.stop();
parentPort?.postMessage(counts);
