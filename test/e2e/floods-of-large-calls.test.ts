// Calls that carry all they may, and whose answers are as long as they may be.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of large calls', [
  { name: 'wide-overrides', todo: 'overrides are decoded in one turn of a front thread' },
  { name: 'huge-traces', todo: 'answers of 16 MiB are sent in one turn of a front thread' },
]);
