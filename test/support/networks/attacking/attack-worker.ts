// Attacks validators in a separate thread, which does not delay the test's measurements.
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ATTACKS, type AttackName } from './attacks.js';
import { Rogue, type RogueOptions } from './rogue.js';

export interface AttackTask extends RogueOptions {
  readonly attacks: readonly AttackName[];
}

// A real attacker uses another machine, so this thread yields to the victims.
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
