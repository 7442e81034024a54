// Calls that burn all they are given.
import { testFloods } from '../support/floods/flooded-node.js';

const todo = 'calls and reads in workers wait together, first come first served';

testFloods('floods of calls', [
  { name: 'burning-views', todo },
  { name: 'burning-pipelines', todo },
  { name: 'abandoned-calls', todo: 'a call runs on when its caller has hung up' },
]);
