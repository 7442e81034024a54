// Attacks through HTTP requests and their bodies, on a node with the HTTP server of each native mode under test.

import { NATIVE_MODES } from '../support/native-modes.js';
import { attacksOn } from '../support/nodes/attacks-on.js';
import { perTier } from '../support/sweep.js';
import { httpOddities } from './http/http-oddities.js';
import { longIds } from './http/long-ids.js';
import { malformedHeads } from './http/malformed-heads.js';
import { oversizedBodies } from './http/oversized-bodies.js';
import { paddedCalls } from './http/padded-calls.js';
import { strangeHosts } from './http/strange-hosts.js';
import { unfinishedBodies } from './http/unfinished-bodies.js';
import { waitingPadding } from './http/waiting-padding.js';

const BUDGET_MIB = 64;
const RESETS = perTier(12, 40);
const WAITERS = perTier(8, 40);
/** In the slow tier longer than the idle timeout of the native HTTP server. */
const WAIT_MS = perTier(0, 13_000);

for (const native of NATIVE_MODES) {
  attacksOn(
    `a node, --native ${native}`,
    [
      ...[
        '--native',
        native,
        '--block-time',
        '50',
        '--max-buffered-bytes',
        String(BUDGET_MIB * 1_024 * 1_024),
      ],
      // Front threads share the budget, which these attacks exhaust.
      ...['--front-threads', '1'],
      // So that no padded call ends before the last one is read.
      ...['--max-call-ms', '60000', '--max-call-gas', '100000000000'],
    ],
    {
      'malformed heads': malformedHeads,
      'HTTP oddities': (attacked) => httpOddities(attacked, native, RESETS),
      'strange hosts': strangeHosts,
      'long ids': longIds,
      'bodies over 4 MiB': oversizedBodies,
      'unfinished bodies': (attacked) => unfinishedBodies(attacked, BUDGET_MIB),
      'padded bodies of senders that wait': (attacked) => waitingPadding(attacked, WAITERS, WAIT_MS),
      'padded calls': (attacked) => paddedCalls(attacked, BUDGET_MIB),
    },
  );
}
