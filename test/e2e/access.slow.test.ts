import { testAccess } from '../support/tokens/access-matrix.js';

testAccess('open');
