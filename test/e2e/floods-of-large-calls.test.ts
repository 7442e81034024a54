// Calls that carry all they may, whose answers are as long as they may be, or that have blocks executed again.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of large calls', [
  { name: 'wide-overrides' },
  { name: 'huge-traces' },
  { name: 'replays' },
]);
