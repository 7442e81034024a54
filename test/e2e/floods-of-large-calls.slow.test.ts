// Calls with maximum inputs, with maximum responses, or that re-execute blocks.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of large calls', [
  { name: 'wide-overrides' },
  { name: 'huge-traces' },
  { name: 'replays' },
]);
