import { workerData } from 'node:worker_threads';
import { CallsInFlight } from '../../../src/rpc/limits/calls-in-flight.js';

interface Data {
  readonly memory: SharedArrayBuffer;
  /** Number of places taken now, and the maximum ever taken. */
  readonly places: SharedArrayBuffer;
  readonly most: number;
  readonly rounds: number;
}

/** Takes places and releases them, counting those taken. */
const { memory, places, most, rounds } = workerData as Data;
const calls = new CallsInFlight(memory);
const words = new Int32Array(places);
for (let round = 0; round < rounds; round++) {
  const place = calls.tryEnter(most, { client: `client ${round % 3}` });
  if (place === undefined) continue;
  const held = Atomics.add(words, 0, 1) + 1;
  let worst = Atomics.load(words, 1);
  while (held > worst) worst = Atomics.compareExchange(words, 1, worst, held);
  Atomics.sub(words, 0, 1);
  calls.leave(place);
}
