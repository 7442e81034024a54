// Attacks by transactions and bundles on the pool and on the room in blocks, on one node.
import { attacksOn } from '../support/nodes/attacks-on.js';
import { perTier } from '../support/sweep.js';
import { declaredGas } from './blocks/declared-gas.js';
import { quotingReverts } from './blocks/quoting-reverts.js';
import { sharedBundles } from './blocks/shared-bundles.js';
import { unpayableBundles } from './blocks/unpayable-bundles.js';

const ANSWER_BYTES = 1_024 * 1_024;
const FLAGS = [
  ...['--block-time', '100', '--idle-block-time', '100', '--max-answer-bytes', String(ANSWER_BYTES)],
  // A slow machine seals many blocks while it takes bundles.
  ...['--bundle-blocks', '100000'],
];

// In this order: the first one expects the balances of the first block, the next two the first nonces of their senders.
attacksOn('a node that fills blocks', FLAGS, {
  'unpayable bundles': (attacked, afterRestart) =>
    unpayableBundles(attacked, perTier(undefined, afterRestart)),
  'revert data of quotes': (attacked) => quotingReverts(attacked, ANSWER_BYTES),
  'bundles that share a transaction': (attacked) => sharedBundles(attacked, perTier(300, 1_500)),
  'declared gas': (attacked, afterRestart) => declaredGas(attacked, perTier(undefined, afterRestart)),
});
