// A node under any flood shuts down promptly on a signal and loses nothing.
import { after, before, describe, test } from 'node:test';
import { FloodedNode } from '../support/floods/ended-under-flood.js';

const ENDS = [
  ['burning-views', 'SIGTERM'],
  ['abandoned-calls', 'SIGINT'],
  ['objects-8', 'SIGTERM'],
  ['slow-readers', 'SIGINT'],
  ['huge-traces', 'SIGTERM'],
  ['listed-pool', 'SIGTERM'],
] as const;

describe('a node ends promptly and loses nothing', () => {
  let flooded: FloodedNode;
  before(async () => {
    flooded = await FloodedNode.start();
  });
  after(() => flooded?.dispose());

  for (const [name, signal] of ENDS) {
    test(`by ${signal} under the flood ${name}`, (t) => flooded.endUnder(t, name, signal, 1_500));
  }
});
