// Bodies that cost more to parse than to send.
import { testFloods } from '../support/floods/flooded-node.js';

const todo = 'a body is parsed in one turn of a front thread, however large it is';

testFloods('floods of bodies', [
  { name: 'objects-8', todo },
  { name: 'objects-100', todo },
  { name: 'deep-params', todo },
  { name: 'wide-params', todo },
]);
