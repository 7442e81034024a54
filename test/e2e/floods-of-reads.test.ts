// Reads that no cache helps with, and readers that do not read.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of reads', [
  { name: 'cold-accounts' },
  { name: 'old-proofs' },
  { name: 'all-logs' },
  { name: 'slow-readers' },
]);
