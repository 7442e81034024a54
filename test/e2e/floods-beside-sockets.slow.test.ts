// Ten times the calls that the node can run, beside thousands of WebSockets.
import { CROWDED_SOCKETS_DESCRIPTORS } from '../support/floods/crowded-sockets.js';
import { testFloods } from '../support/floods/flooded-node.js';

testFloods('a flood of calls beside a crowd of WebSockets', [
  { name: 'crowded-sockets', descriptors: CROWDED_SOCKETS_DESCRIPTORS, peakMiB: 1_024 },
]);
