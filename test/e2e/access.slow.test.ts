import { testAccess } from '../support/access-matrix.js';

testAccess('open');
