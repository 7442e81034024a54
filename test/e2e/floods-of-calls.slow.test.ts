// Calls that burn all their gas.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of calls', [
  { name: 'burning-views' },
  { name: 'batched-views' },
  { name: 'varied-views' },
  { name: 'burning-pipelines' },
  { name: 'abandoned-calls' },
]);
