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
    byzantineFromEpoch: 0,
  };
}

export interface CalmNetwork {
  readonly seed: number;
  readonly validators: number;
  readonly blockTimeMs: number;
  /** One way, least and most. */
  readonly latencyMs: readonly [number, number];
}

/** A network without faults in which envelopes open at each height. */
export function calmSealedScenario({ seed, validators, blockTimeMs, latencyMs }: CalmNetwork): Scenario {
  return {
    seed,
    validators,
    core: { epochLength: 10_000, deltaMs: 500, blockTimeMs, idleBlockTimeMs: 5_000, sealInstantly: false },
    work: 'busy',
    envelopes: true,
    byzantine: new Map(),
    byzantineFromEpoch: 0,
    faultEvents: [],
    history: 0,
    behind: new Map(),
    stableFromMs: 0,
    allRestart: false,
    outageAtVote: 0,
    latencyMs,
    loss: 0,
    rareKind: undefined,
    gaps: 0,
    duplication: 0,
    delay: 0,
    longDelayMs: 0,
    writeCrash: 0,
    writeFailure: 0,
    unsyncedCrash: 0,
    syncMs: 3,
    verifyMs: 5,
    stall: 0,
    signMs: 4,
    enterMs: 0,
    signFailure: 0,
    signStall: 0,
    earlyTimers: false,
    unaffordable: false,
    withholding: 0,
    skewsMs: Array.from({ length: validators }, () => 0),
    mayStop: false,
  };
}
