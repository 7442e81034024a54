// Uncacheable reads, and clients that never read their responses.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of reads', [
  { name: 'cold-accounts' },
  { name: 'old-proofs' },
  { name: 'all-logs' },
  { name: 'slow-readers' },
]);
