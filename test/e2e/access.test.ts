// Every method against every kind of caller, on a real node.
import { testAccess } from '../support/tokens/access-matrix.js';

testAccess('metered');
testAccess('token');
