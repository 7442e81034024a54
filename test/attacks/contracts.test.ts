// Attacks by contracts, and by calls that reach them, on one node.
import { attacksOn } from '../support/nodes/attacks-on.js';
import { perTier } from '../support/sweep.js';
import { addressSpace } from './contracts/address-space.js';
import { deepStacks } from './contracts/deep-stacks.js';
import { eventFloods } from './contracts/event-floods.js';
import { hostileArguments } from './contracts/hostile-arguments.js';
import { listingSpam } from './contracts/listing-spam.js';
import { longAnswers } from './contracts/long-answers.js';
import { machineCode } from './contracts/machine-code.js';
import { unpaidInstances } from './contracts/unpaid-instances.js';

// Each call ends at its limits of gas and of its answer, however slow the machine.
const FLAGS = ['--block-time', '50', '--max-call-ms', '15000'];

attacksOn('a node that runs contracts', FLAGS, {
  'event floods': eventFloods,
  'spam in listings': listingSpam,
  'unpaid instances': unpaidInstances,
  'nested calls that reserve address space': (attacked) => addressSpace(attacked, 6),
  'long answers': longAnswers,
  'hostile arguments': hostileArguments,
  'machine code': (attacked, afterRestart) => machineCode(attacked, afterRestart, perTier([6, 2], [40, 8])),
  'deep stacks': (attacked) => deepStacks(attacked, perTier([], ['--liftoff-only', '--no-liftoff'])),
});
