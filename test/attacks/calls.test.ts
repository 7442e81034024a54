// Attacks by calls that take threads, memory and places for long, on one node; in the slow tier on a node of each kind.
import { type Attack, attacksOn } from '../support/nodes/attacks-on.js';
import { perTier } from '../support/sweep.js';
import { callLengths } from './calls/call-lengths.js';
import { callsInPlace } from './calls/calls-in-place.js';
import { forwardedCalls } from './calls/forwarded-calls.js';
import { hostileOverrides } from './calls/hostile-overrides.js';
import { waitingSubmitters } from './calls/waiting-submitters.js';

const ANSWER_BYTES = 1_024 * 1_024;
const PER_CLIENT = perTier(60, 300);
/** Enough for a call that returns at once, also beside other tests. */
const CALL_MS = perTier(2_500, 4_000);
const FLAGS = [
  ...['--block-time', '50', '--max-batch-answer-bytes', String(ANSWER_BYTES)],
  ...['--max-call-ms', String(CALL_MS), '--max-call-gas', '1000000000000'],
  ...['--max-calls', '500', '--max-waiters', '1000', '--max-waiters-per-client', String(PER_CLIENT)],
];

const forwarded: Attack = (attacked) => forwardedCalls(attacked, ANSWER_BYTES);

attacksOn('a node that serves calls', FLAGS, {
  'calls of any length': (attacked, afterRestart) => callLengths(attacked, perTier(undefined, afterRestart)),
  'calls in place': callsInPlace,
  'senders that wait': (attacked, afterRestart) =>
    waitingSubmitters(attacked, PER_CLIENT, perTier(undefined, afterRestart)),
  'calls to the main thread': forwarded,
  'hostile overrides': (attacked) => hostileOverrides(attacked, perTier(116, 29)),
});

for (const threads of perTier([], ['0', '1', '4'])) {
  attacksOn(`a node with --front-threads ${threads}`, [...FLAGS, '--front-threads', threads], {
    'calls to the main thread': forwarded,
  });
}

for (const native of perTier([], ['off'])) {
  attacksOn(`a node with --native ${native}`, [...FLAGS, '--native', native], {
    'calls of any length': (attacked) => callLengths(attacked),
    'senders that wait': (attacked) => waitingSubmitters(attacked, PER_CLIENT),
  });
}
