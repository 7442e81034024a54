import { workerData } from 'node:worker_threads';
import { TipPublisher } from '../../../src/chain/published-tip.js';
import { publishedOf } from '../worlds/published-tips.js';

/** Publishes `rounds` tips, one after another. */
const { memory, rounds } = workerData as { readonly memory: SharedArrayBuffer; readonly rounds: number };
const publisher = new TipPublisher(memory);
for (let height = 1; height <= rounds; height++) publisher.publish(publishedOf(height));
