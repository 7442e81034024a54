import { attacksOn } from '../support/nodes/attacks-on.js';
import { addressSpace } from './contracts/address-space.js';

const FLAGS = ['--block-time', '50', '--workers', '16', '--block-workers', '8'];

attacksOn('a node with many threads', FLAGS, {
  'nested calls that reserve address space': (attacked, afterRestart) =>
    addressSpace(attacked, 40, afterRestart),
});
