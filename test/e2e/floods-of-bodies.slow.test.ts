// Bodies that cost more to parse than to send.
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('floods of bodies', [
  { name: 'objects-8' },
  { name: 'objects-100' },
  { name: 'deep-params' },
  { name: 'wide-params' },
]);
