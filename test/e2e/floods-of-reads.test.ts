// Reads that no cache helps with, and readers that do not read.
import { testFloods } from '../support/floods/flooded-node.js';

const todo = 'reads in workers wait together, first come first served';

testFloods('floods of reads', [
  { name: 'cold-accounts' },
  { name: 'old-proofs' },
  { name: 'all-logs', todo },
  { name: 'slow-readers', todo },
]);
