// Every method against every kind of caller, on a real node.
import { testAccess } from '../support/access-matrix.js';

testAccess('metered');
testAccess('token');
