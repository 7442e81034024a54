// Connections that do nothing, signatures that are none, and transfers that wait for ever.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of transactions and connections', [
  { name: 'bad-signatures' },
  { name: 'sealed-envelopes' },
  { name: 'unpaid-calls' },
  { name: 'idle-connections' },
  // The last one: its transfers stay.
  { name: 'pending-transfers-10k' },
]);
