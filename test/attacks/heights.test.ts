// Attacks that need a long chain, on one node; in the slow tier also with other numbers of front threads.
import { attacksOn } from '../support/nodes/attacks-on.js';
import { perTier } from '../support/sweep.js';
import { costlySubscriptions, LOOKUPS, REPLAYS } from './heights/costly-subscriptions.js';
import { keptResults } from './heights/kept-results.js';
import { pruningRaces } from './heights/pruning-races.js';

const FLAGS = [
  ...['--block-time', '10', '--idle-block-time', '10', '--state-retention', '1', '--result-cache', '1'],
  ...['--max-log-lookups', String(LOOKUPS), '--max-replays', String(REPLAYS)],
  // A slow machine seals many blocks while it checks a bundle.
  ...['--bundle-blocks', '100000'],
];
const KEPT = perTier({ uniqueCalls: 500, ahead: 60 }, { uniqueCalls: 2_000, ahead: 300 });
const PRUNING = perTier(
  { answers: 50, pruned: 5, roundMs: 500 },
  { answers: 300, pruned: 20, roundMs: 4_000 },
);

attacksOn('a node with one front thread', [...FLAGS, '--front-threads', '1'], {
  'kept results': (attacked) => keptResults(attacked, KEPT),
  'costly subscriptions': costlySubscriptions,
  'reads at heights that are pruned': (attacked) => pruningRaces(attacked, PRUNING),
});

for (const threads of perTier([], ['0', '2'])) {
  attacksOn(`a node with --front-threads ${threads}`, [...FLAGS, '--front-threads', threads], {
    // With two, each front thread has half of the lookups.
    ...(threads === '0' ? { 'costly subscriptions': costlySubscriptions } : {}),
    'reads at heights that are pruned': (attacked) => pruningRaces(attacked, PRUNING),
  });
}
