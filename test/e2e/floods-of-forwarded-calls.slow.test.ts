// Long batches of calls that only the main thread can answer: its time, and the memory of responses in flight.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of calls that the main thread answers', [
  { name: 'light-contexts' },
  { name: 'copied-accounts' },
  { name: 'abandoned-listings' },
  { name: 'listed-pool' },
]);
