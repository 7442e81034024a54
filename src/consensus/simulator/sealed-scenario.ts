import { Random } from './random.js';
import type { Scenario } from './scenario.js';

/** Makes the draws of a run with envelopes differ from the others of a seed. */
const SEALED_SALT = 0x6a09e667;
/** One way, in virtual milliseconds; above the block time. */
const LATENCY_MS = [60, 140] as const;
const JITTER_MS = 20;
const BLOCK_TIME_MS = 50;

/**
 * A drawn scenario in which envelopes open at each height. The key of a height takes longer than a block time, so
 * a leader that did not wait for it would never have transactions.
 */
export function withEnvelopes(scenario: Scenario): Scenario {
  const latencyMs = new Random(scenario.seed ^ SEALED_SALT).between(...LATENCY_MS);
  return {
    ...scenario,
    envelopes: true,
    work: 'busy',
    unaffordable: false,
    core: { ...scenario.core, deltaMs: 500, blockTimeMs: BLOCK_TIME_MS, sealInstantly: false },
    latencyMs: [latencyMs, latencyMs + JITTER_MS],
    // The blocks of a history open nothing.
    history: 0,
    behind: new Map(),
    faultyFromEpoch: 0,
  };
}
