// Calls that carry all they may, and whose answers are as long as they may be.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of large calls', [{ name: 'wide-overrides' }, { name: 'huge-traces' }]);
