// Calls that only the main thread can answer, in long batches: its time, and the memory of answers under way.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of calls that the main thread answers', [
  { name: 'light-contexts' },
  { name: 'copied-accounts' },
  { name: 'abandoned-listings' },
  { name: 'listed-pool' },
]);
