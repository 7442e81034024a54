import { attacksOn } from '../support/nodes/attacks-on.js';
import { pendingFloods } from './blocks/pending-floods.js';

attacksOn(
  'a node with subscribers to pending transactions',
  ['--block-time', '100', '--idle-block-time', '100'],
  {
    'a flood of pending transactions': (attacked) => pendingFloods(attacked, 12),
  },
);
