// Calls that only the main thread can answer, without front threads and with two.
import { testFloods } from '../support/floods/flooded-node.js';

const FLOODS = [{ name: 'light-contexts' }, { name: 'listed-pool' }];

for (const frontThreads of [0, 2]) {
  testFloods(`floods of calls to the main thread, --front-threads ${frontThreads}`, FLOODS, { frontThreads });
}
