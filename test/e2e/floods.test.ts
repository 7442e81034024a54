// Each flood for a fraction of a second. The files floods-*.slow.test.ts run them for longer, on nodes of their own.
import { SHORT_TIMES, testFloods } from '../support/floods/flooded-node.js';

testFloods(
  'short floods',
  [
    { name: 'objects-8' },
    { name: 'objects-100' },
    { name: 'deep-params' },
    { name: 'wide-params' },
    { name: 'burning-views' },
    { name: 'batched-views' },
    { name: 'varied-views' },
    { name: 'burning-pipelines' },
    { name: 'abandoned-calls' },
    { name: 'wide-overrides' },
    { name: 'huge-traces' },
    { name: 'replays' },
    { name: 'light-contexts' },
    { name: 'copied-accounts' },
    { name: 'abandoned-listings' },
    { name: 'listed-pool' },
    { name: 'cold-accounts' },
    { name: 'old-proofs' },
    { name: 'all-logs' },
    { name: 'slow-readers' },
    { name: 'bad-signatures' },
    { name: 'sealed-envelopes' },
    { name: 'unpaid-calls' },
    { name: 'idle-connections' },
    { name: 'a-thousand-sockets' },
    // Runs last because its transfers stay in the pool.
    { name: 'pending-transfers-1k' },
  ],
  { times: SHORT_TIMES },
);
