// Idle connections, invalid signatures, and transfers that wait forever.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of transactions and connections', [
  { name: 'bad-signatures' },
  { name: 'sealed-envelopes' },
  { name: 'unpaid-calls' },
  { name: 'idle-connections' },
  // Runs last because its transfers stay in the pool.
  { name: 'pending-transfers-10k' },
]);
