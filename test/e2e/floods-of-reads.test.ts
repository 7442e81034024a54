// Reads that no cache helps with, and readers that do not read.
import { testFloods } from '../support/floods/flooded-node.js';

const todo = 'all reads in workers wait together, first come first served';

testFloods('floods of reads', [
  { name: 'cold-accounts', todo: 'a batch of accounts is read in one turn of the main thread' },
  { name: 'old-proofs' },
  { name: 'all-logs', todo },
  { name: 'slow-readers', todo },
]);
